% RUN: emit --args double
function r = f(x)
  r = x > 0 && sqrt(x) > 2;
end
% EXPECT
% (module :name "guard-in-short-circuit" :indexing 1 :exclude %0 :flatten %1 :grow %1 :assign copy :slices copy :nan omit :mindims 2 :fastmath %0 :broadcast leading
%   (fns
%     (function f
%       (functype (intypes (float64)) (outtypes (bool)))
%       (arglist (arg :id 0))
%       (body
%         (assignstmt :loc "guard-in-short-circuit.m:3:3"
%           (lhs (name :id 1 (bool)))
%           (rhs (gt (bool) (lhs (name :id 0 (float64))) (rhs (realconst :dval 0 (float64))))))
%         (ifstmt :loc "guard-in-short-circuit.m:3:3"
%           (test (name :id 1 (bool)))
%           (if
%             (ifstmt :loc "guard-in-short-circuit.m:3:3"
%               (test (lt (bool) (lhs (name :id 0 (float64))) (rhs (realconst :dval 0 (float64)))))
%               (if
%                 (raise :loc "guard-in-short-circuit.m:3:3" :code 0 :text "a complex result of sqrt")))
%             (assignstmt :loc "guard-in-short-circuit.m:3:3"
%               (lhs (name :id 1 (bool)))
%               (rhs
%                 (gt (bool)
%                   (lhs (libcall :libfunc sqrt (float64) (args (name :id 0 (float64)))))
%                   (rhs (realconst :dval 2 (float64))))))))
%         (assignstmt :loc "guard-in-short-circuit.m:3:3"
%           (lhs (name :id 2 (bool)))
%           (rhs (name :id 1 (bool))))
%         (returnstmt :loc "guard-in-short-circuit.m:3:3" (exprs (name :id 2 (bool)))))
%       (symtable
%         (sym :id 0 :name x (float64))
%         (sym :id 1 :name both (bool))
%         (sym :id 2 :name r (bool))))))
% ; result 1: logical
% ; #0: a complex result of sqrt
