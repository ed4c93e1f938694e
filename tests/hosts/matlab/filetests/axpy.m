% RUN: emit --args double double:Nx1 double:Nx1
function y = axpy(a, x, y)
  for i = 1:numel(x)
    y(i) = a * x(i) + y(i);
  end
end
% EXPECT
% (module :name axpy :indexing 1 :exclude %0 :flatten %1 :grow %1 :assign copy :slices copy :nan omit :mindims 2 :fastmath %0 :broadcast leading
%   (fns
%     (function axpy
%       (functype
%         (intypes
%           (float64)
%           (arraytype :layout colmajor :ndims 2 (float64))
%           (arraytype :layout colmajor :ndims 2 (float64)))
%         (outtypes (arraytype :layout colmajor :ndims 2 (float64))))
%       (arglist (arg :id 0) (arg :id 1) (arg :id 2))
%       (body
%         (assignstmt :loc "axpy.m:3:3" (lhs (name :id 4 (bool))) (rhs (realconst :ival 0 (bool))))
%         (forstmt :loc "axpy.m:3:3"
%           (itervars 3)
%           (loopdomain
%             (domain (domaintype :ndims 1 (int64))
%               (range :exclude %0
%                 (start (realconst :ival 1 (int64)))
%                 (stop
%                   (libcall :libfunc numel (int64)
%                     (args (name :id 1 (arraytype :layout colmajor :ndims 2 (float64)))))))))
%           (body
%             (assignstmt :loc "axpy.m:3:3"
%               (lhs (name :id 5 (float64)))
%               (rhs (cast (float64) (name :id 3 (int64)))))
%             (assignstmt :loc "axpy.m:4:5"
%               (lhs (name :id 6 (float64)))
%               (rhs
%                 (plus (float64)
%                   (lhs
%                     (mult (float64)
%                       (lhs (name :id 0 (float64)))
%                       (rhs (index :arrayid 1 (float64) (indices (index (name :id 3 (int64))))))))
%                   (rhs (index :arrayid 2 (float64) (indices (index (name :id 3 (int64)))))))))
%             (ifstmt :loc "axpy.m:4:5"
%               (test
%                 (and (bool)
%                   (lhs
%                     (leq (bool)
%                       (lhs (dim :arrayid 2 :dimid 1 (int64)))
%                       (rhs (realconst :ival 1 (int64)))))
%                   (rhs
%                     (gt (bool) (lhs (name :id 3 (int64))) (rhs (dim :arrayid 2 :dimid 1 (int64)))))))
%               (if (raise :loc "axpy.m:4:5" :code 0 :text "a short column that grows")))
%             (assignstmt :loc "axpy.m:4:5"
%               (lhs (index :arrayid 2 (float64) (indices (index (name :id 3 (int64))))))
%               (rhs (name :id 6 (float64))))
%             (assignstmt :loc "axpy.m:4:5"
%               (lhs (name :id 4 (bool)))
%               (rhs (realconst :ival 1 (bool))))))
%         (returnstmt :loc "axpy.m:4:5"
%           (exprs (name :id 2 (arraytype :layout colmajor :ndims 2 (float64))))))
%       (symtable
%         (sym :id 0 :name a (float64))
%         (sym :id 1 :name x (arraytype :layout colmajor :ndims 2 (float64)))
%         (sym :id 2 :name y (arraytype :layout colmajor :ndims 2 (float64)))
%         (sym :id 3 :name i_count (int64))
%         (sym :id 4 :name i_assigned (bool))
%         (sym :id 5 :name i (float64))
%         (sym :id 6 :name stored (float64))))))
% ; result 1: double
% ; #0: a short column that grows
