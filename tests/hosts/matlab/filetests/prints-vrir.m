% RUN: emit --nargout 0 --args double
function f(x)
  printf("%g\n", x);
  printf("%g\n", x + 1);
  x
end
% EXPECT
% (module :name "prints-vrir" :indexing 1 :exclude %0 :flatten %1 :grow %1 :assign copy :slices copy :nan omit :mindims 2 :fastmath %0 :broadcast leading
%   (fns
%     (function f
%       (functype (intypes (float64)) (outtypes (void)))
%       (arglist (arg :id 0))
%       (body
%         (exprstmt :loc "prints-vrir.m:3:3"
%           (fncall :fnname vr__host_1 (void) (args (name :id 0 (float64)))))
%         (exprstmt :loc "prints-vrir.m:4:3"
%           (fncall :fnname vr__host_1 (void)
%             (args (plus (float64) (lhs (name :id 0 (float64))) (rhs (realconst :dval 1 (float64)))))))
%         (exprstmt :loc "prints-vrir.m:5:3"
%           (fncall :fnname vr__host_2 (void) (args (name :id 0 (float64)))))
%         (returnstmt :loc "prints-vrir.m:5:3"))
%       (symtable (sym :id 0 :name x (float64))))
%     (extern vr__host_1 (functype (intypes (float64)) (outtypes (void))))
%     (extern vr__host_2 (functype (intypes (float64)) (outtypes (void))))))
