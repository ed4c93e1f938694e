% RUN: emit --args double:1xN
function y = f(x)
  y = zeros(1, numel(x));
  %#vr gpu
  parfor i = 1:numel(x)
    y(i) = 2 * x(i);
  end
  %#vr end
end
% EXPECT
% (module :name "gpu-section-comment" :indexing 1 :exclude %0 :flatten %1 :grow %1 :assign copy :slices copy :nan omit :mindims 2 :fastmath %0 :broadcast leading
%   (fns
%     (function f
%       (functype
%         (intypes (arraytype :layout colmajor :ndims 2 (float64)))
%         (outtypes (arraytype :layout colmajor :ndims 2 (float64))))
%       (arglist (arg :id 0))
%       (body
%         (assignstmt :loc "gpu-section-comment.m:3:3"
%           (lhs (name :id 1 (arraytype :layout colmajor :ndims 2 (float64))))
%           (rhs
%             (alloc :func zeros (arraytype :layout colmajor :ndims 2 (float64))
%               (args
%                 (realconst :ival 1 (int64))
%                 (libcall :libfunc numel (int64)
%                   (args (name :id 0 (arraytype :layout colmajor :ndims 2 (float64)))))))))
%         (stmtlist :loc "gpu-section-comment.m:4:3" :onGpu %1
%           (stmts
%             (pforstmt :loc "gpu-section-comment.m:5:3"
%               (itervars 2)
%               (loopdomain
%                 (domain (domaintype :ndims 1 (int64))
%                   (range :exclude %0
%                     (start (realconst :ival 1 (int64)))
%                     (stop
%                       (libcall :libfunc numel (int64)
%                         (args (name :id 0 (arraytype :layout colmajor :ndims 2 (float64)))))))))
%               (shared 0 1)
%               (body
%                 (assignstmt :loc "gpu-section-comment.m:5:3"
%                   (lhs (name :id 3 (float64)))
%                   (rhs (cast (float64) (name :id 2 (int64)))))
%                 (assignstmt :loc "gpu-section-comment.m:6:5"
%                   (lhs (name :id 4 (float64)))
%                   (rhs
%                     (mult (float64)
%                       (lhs (realconst :dval 2 (float64)))
%                       (rhs (index :arrayid 0 (float64) (indices (index (name :id 2 (int64)))))))))
%                 (assignstmt :loc "gpu-section-comment.m:6:5"
%                   (lhs (index :arrayid 1 (float64) (indices (index :grow %0 (name :id 2 (int64))))))
%                   (rhs (name :id 4 (float64))))))))
%         (returnstmt :loc "gpu-section-comment.m:5:3"
%           (exprs (name :id 1 (arraytype :layout colmajor :ndims 2 (float64))))))
%       (symtable
%         (sym :id 0 :name x (arraytype :layout colmajor :ndims 2 (float64)))
%         (sym :id 1 :name y (arraytype :layout colmajor :ndims 2 (float64)))
%         (sym :id 2 :name i_count (int64))
%         (sym :id 3 :name i (float64))
%         (sym :id 4 :name stored (float64))))))
% ; result 1: double
