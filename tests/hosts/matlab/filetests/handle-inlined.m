% RUN: emit --args double
function r = f(x)
  a = 2;
  g = @(t) a * t + x;
  r = g(x) + g(1);
end
% EXPECT
% (module :name "handle-inlined" :indexing 1 :exclude %0 :flatten %1 :grow %1 :assign copy :slices copy :nan omit :mindims 2 :fastmath %0 :broadcast leading
%   (fns
%     (function f
%       (functype (intypes (float64)) (outtypes (float64)))
%       (arglist (arg :id 0))
%       (body
%         (assignstmt :loc "handle-inlined.m:3:3"
%           (lhs (name :id 1 (float64)))
%           (rhs (realconst :dval 2 (float64))))
%         (assignstmt :loc "handle-inlined.m:4:3"
%           (lhs (name :id 2 (float64)))
%           (rhs (realconst :dval 2 (float64))))
%         (assignstmt :loc "handle-inlined.m:4:3"
%           (lhs (name :id 3 (float64)))
%           (rhs (name :id 0 (float64))))
%         (assignstmt :loc "handle-inlined.m:5:3"
%           (lhs (name :id 4 (float64)))
%           (rhs (realconst :dval 1 (float64))))
%         (assignstmt :loc "handle-inlined.m:5:3"
%           (lhs (name :id 5 (float64)))
%           (rhs
%             (plus (float64)
%               (lhs
%                 (plus (float64)
%                   (lhs (mult (float64) (lhs (name :id 2 (float64))) (rhs (name :id 0 (float64)))))
%                   (rhs (name :id 3 (float64)))))
%               (rhs
%                 (plus (float64)
%                   (lhs
%                     (mult (float64)
%                       (lhs (name :id 2 (float64)))
%                       (rhs (realconst :dval 1 (float64)))))
%                   (rhs (name :id 3 (float64))))))))
%         (returnstmt :loc "handle-inlined.m:5:3" (exprs (name :id 5 (float64)))))
%       (symtable
%         (sym :id 0 :name x (float64))
%         (sym :id 1 :name a (float64))
%         (sym :id 2 :name a_captured (float64))
%         (sym :id 3 :name x_captured (float64))
%         (sym :id 4 :name argument (float64))
%         (sym :id 5 :name r (float64))))))
% ; result 1: double
