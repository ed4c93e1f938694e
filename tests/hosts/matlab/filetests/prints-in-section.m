% RUN: emit --args double:1xN
function r = f(x)
  gpu_begin;
  r = x * 2;
  disp(r);
  gpu_end;
end
% EXPECT
% (module :name "prints-in-section" :indexing 1 :exclude %0 :flatten %1 :grow %1 :assign copy :slices copy :nan omit :mindims 2 :fastmath %0 :broadcast leading
%   (fns
%     (function f
%       (functype
%         (intypes (arraytype :layout colmajor :ndims 2 (float64)))
%         (outtypes (arraytype :layout colmajor :ndims 2 (float64))))
%       (arglist (arg :id 0))
%       (body
%         (stmtlist :loc "prints-in-section.m:3:3" :onGpu %1
%           (stmts
%             (assignstmt :loc "prints-in-section.m:4:3"
%               (lhs (name :id 1 (arraytype :layout colmajor :ndims 2 (float64))))
%               (rhs
%                 (mult (arraytype :layout colmajor :ndims 2 (float64))
%                   (lhs (name :id 0 (arraytype :layout colmajor :ndims 2 (float64))))
%                   (rhs (realconst :dval 2 (float64))))))
%             (exprstmt :loc "prints-in-section.m:5:3"
%               (fncall :fnname vr__host_1 (void)
%                 (args (name :id 1 (arraytype :layout colmajor :ndims 2 (float64))))))))
%         (returnstmt :loc "prints-in-section.m:5:3"
%           (exprs (name :id 1 (arraytype :layout colmajor :ndims 2 (float64))))))
%       (symtable
%         (sym :id 0 :name x (arraytype :layout colmajor :ndims 2 (float64)))
%         (sym :id 1 :name r (arraytype :layout colmajor :ndims 2 (float64)))))
%     (extern vr__host_1
%       (functype (intypes (arraytype :layout colmajor :ndims 2 (float64))) (outtypes (void))))))
% ; result 1: double
