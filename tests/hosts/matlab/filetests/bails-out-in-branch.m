% RUN: emit --args double
function r = f(x)
  r = x;
  if x > 100
    warning('large');
  end
end
% EXPECT
% (module :name "bails-out-in-branch" :indexing 1 :exclude %0 :flatten %1 :grow %1 :assign copy :slices copy :nan omit :mindims 2 :fastmath %0 :broadcast leading
%   (fns
%     (function f
%       (functype (intypes (float64)) (outtypes (float64)))
%       (arglist (arg :id 0))
%       (body
%         (assignstmt :loc "bails-out-in-branch.m:3:3"
%           (lhs (name :id 1 (float64)))
%           (rhs (name :id 0 (float64))))
%         (ifstmt :loc "bails-out-in-branch.m:4:8"
%           (test (gt (bool) (lhs (name :id 0 (float64))) (rhs (realconst :dval 100 (float64)))))
%           (if
%             (raise :loc "bails-out-in-branch.m:5:5" :code 0 :text "'warning', which does or asks more than compute")))
%         (returnstmt :loc "bails-out-in-branch.m:4:8" (exprs (name :id 1 (float64)))))
%       (symtable (sym :id 0 :name x (float64)) (sym :id 1 :name r (float64))))))
% ; result 1: double
% ; #0: 'warning', which does or asks more than compute
% ; bails-out-in-branch.m:5:5: remark: 'warning', which does or asks more than compute [unsupported]
%     call it outside of compiled functions
