% RUN: emit --args 'sub' double double
function r = f(op, a, b)
  switch op
    case 'add'
      r = a + b;
    case 'sub'
      r = a - b;
  end
end
% EXPECT
% (module :name "constant-key" :indexing 1 :exclude %0 :flatten %1 :grow %1 :assign copy :slices copy :nan omit :mindims 2 :fastmath %0 :broadcast leading
%   (fns
%     (function f
%       (functype (intypes (float64) (float64)) (outtypes (float64)))
%       (arglist (arg :id 0) (arg :id 1))
%       (body
%         (assignstmt :loc "constant-key.m:7:7"
%           (lhs (name :id 2 (float64)))
%           (rhs (minus (float64) (lhs (name :id 0 (float64))) (rhs (name :id 1 (float64))))))
%         (returnstmt :loc "constant-key.m:7:7" (exprs (name :id 2 (float64)))))
%       (symtable
%         (sym :id 0 :name a (float64))
%         (sym :id 1 :name b (float64))
%         (sym :id 2 :name r (float64))))))
% ; result 1: double
