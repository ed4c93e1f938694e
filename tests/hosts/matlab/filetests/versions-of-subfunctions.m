% RUN: emit --args double double:NxN
function r = f(x, A)
  r = twice(x) + sum(sum(twice(A)));
end
function y = twice(x)
  y = x + x;
end
% EXPECT
% (module :name "versions-of-subfunctions" :indexing 1 :exclude %0 :flatten %1 :grow %1 :assign copy :slices copy :nan omit :mindims 2 :fastmath %0 :broadcast leading
%   (fns
%     (function f
%       (functype
%         (intypes (float64) (arraytype :layout colmajor :ndims 2 (float64)))
%         (outtypes (float64)))
%       (arglist (arg :id 0) (arg :id 1))
%       (body
%         (assignstmt :loc "versions-of-subfunctions.m:3:3"
%           (lhs (name :id 2 (float64)))
%           (rhs (fncall :fnname twice (float64) (args (name :id 0 (float64))))))
%         (assignstmt :loc "versions-of-subfunctions.m:3:3"
%           (lhs (name :id 3 (arraytype :layout colmajor :ndims 2 (float64))))
%           (rhs
%             (fncall :fnname twice_2 (arraytype :layout colmajor :ndims 2 (float64))
%               (args (name :id 1 (arraytype :layout colmajor :ndims 2 (float64)))))))
%         (assignstmt :loc "versions-of-subfunctions.m:3:3"
%           (lhs (name :id 4 (float64)))
%           (rhs
%             (plus (float64)
%               (lhs (name :id 2 (float64)))
%               (rhs
%                 (libcall :libfunc scalar (float64)
%                   (args
%                     (libcall :libfunc sum (arraytype :layout colmajor :ndims 2 (float64))
%                       (args
%                         (libcall :libfunc sum (arraytype :layout colmajor :ndims 2 (float64))
%                           (args (name :id 3 (arraytype :layout colmajor :ndims 2 (float64)))))))))))))
%         (returnstmt :loc "versions-of-subfunctions.m:3:3" (exprs (name :id 4 (float64)))))
%       (symtable
%         (sym :id 0 :name x (float64))
%         (sym :id 1 :name A (arraytype :layout colmajor :ndims 2 (float64)))
%         (sym :id 2 :name result (float64))
%         (sym :id 3 :name result (arraytype :layout colmajor :ndims 2 (float64)))
%         (sym :id 4 :name r (float64))))
%     (function twice
%       (functype (intypes (float64)) (outtypes (float64)))
%       (arglist (arg :id 0))
%       (body
%         (assignstmt :loc "versions-of-subfunctions.m:6:3"
%           (lhs (name :id 1 (float64)))
%           (rhs (plus (float64) (lhs (name :id 0 (float64))) (rhs (name :id 0 (float64))))))
%         (returnstmt :loc "versions-of-subfunctions.m:6:3" (exprs (name :id 1 (float64)))))
%       (symtable (sym :id 0 :name x (float64)) (sym :id 1 :name y (float64))))
%     (function twice_2
%       (functype
%         (intypes (arraytype :layout colmajor :ndims 2 (float64)))
%         (outtypes (arraytype :layout colmajor :ndims 2 (float64))))
%       (arglist (arg :id 0))
%       (body
%         (assignstmt :loc "versions-of-subfunctions.m:6:3"
%           (lhs (name :id 1 (arraytype :layout colmajor :ndims 2 (float64))))
%           (rhs
%             (plus (arraytype :layout colmajor :ndims 2 (float64))
%               (lhs (name :id 0 (arraytype :layout colmajor :ndims 2 (float64))))
%               (rhs (name :id 0 (arraytype :layout colmajor :ndims 2 (float64)))))))
%         (returnstmt :loc "versions-of-subfunctions.m:6:3"
%           (exprs (name :id 1 (arraytype :layout colmajor :ndims 2 (float64))))))
%       (symtable
%         (sym :id 0 :name x (arraytype :layout colmajor :ndims 2 (float64)))
%         (sym :id 1 :name y (arraytype :layout colmajor :ndims 2 (float64)))))))
% ; result 1: double
