% RUN: emit --args int8
% 200 is no int8: the sum is computed in double, where -100 + 200 is 100.
function r = f(x)
  r = x + 200;
end
% EXPECT
% (module :name "integer-not-in-class" :indexing 1 :exclude %0 :flatten %1 :grow %1 :assign copy :slices copy :nan omit :mindims 2 :fastmath %0 :broadcast leading
%   (fns
%     (function f
%       (functype (intypes (int8)) (outtypes (int8)))
%       (arglist (arg :id 0))
%       (body
%         (assignstmt :loc "integer-not-in-class.m:4:3"
%           (lhs (name :id 1 (int8)))
%           (rhs
%             (libcall :libfunc cast_sat (int8)
%               (args
%                 (plus (float64)
%                   (lhs (cast (float64) (name :id 0 (int8))))
%                   (rhs (realconst :dval 200 (float64))))))))
%         (returnstmt :loc "integer-not-in-class.m:4:3" (exprs (name :id 1 (int8)))))
%       (symtable (sym :id 0 :name x (int8)) (sym :id 1 :name r (int8))))))
% ; result 1: int8
