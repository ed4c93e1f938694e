% RUN: emit --args double
function r = f(x)
  r = sqrt(x);
end
% EXPECT
% (module :name "guard-sqrt" :indexing 1 :exclude %0 :flatten %1 :grow %1 :assign copy :slices copy :nan omit :mindims 2 :fastmath %0 :broadcast leading
%   (fns
%     (function f
%       (functype (intypes (float64)) (outtypes (float64)))
%       (arglist (arg :id 0))
%       (body
%         (ifstmt :loc "guard-sqrt.m:3:3"
%           (test (lt (bool) (lhs (name :id 0 (float64))) (rhs (realconst :dval 0 (float64)))))
%           (if (raise :loc "guard-sqrt.m:3:3" :code 0 :text "a complex result of sqrt")))
%         (assignstmt :loc "guard-sqrt.m:3:3"
%           (lhs (name :id 1 (float64)))
%           (rhs (libcall :libfunc sqrt (float64) (args (name :id 0 (float64))))))
%         (returnstmt :loc "guard-sqrt.m:3:3" (exprs (name :id 1 (float64)))))
%       (symtable (sym :id 0 :name x (float64)) (sym :id 1 :name r (float64))))))
% ; result 1: double
% ; #0: a complex result of sqrt
