% RUN: emit --args double:NxN
function out = f(A)
  n = size(A, 1);
  out = zeros(n, 1);
  parfor i = 1:n
    row = A(i, :);
    t = sum(row);
    out(i) = t * 2;
  end
end
% EXPECT
% (module :name "parfor-private" :indexing 1 :exclude %0 :flatten %1 :grow %1 :assign copy :slices copy :nan omit :mindims 2 :fastmath %0 :broadcast leading
%   (fns
%     (function f
%       (functype
%         (intypes (arraytype :layout colmajor :ndims 2 (float64)))
%         (outtypes (arraytype :layout colmajor :ndims 2 (float64))))
%       (arglist (arg :id 0))
%       (body
%         (assignstmt :loc "parfor-private.m:3:3"
%           (lhs (name :id 1 (float64)))
%           (rhs (cast (float64) (dim :arrayid 0 :dimid 1 (int64)))))
%         (assignstmt :loc "parfor-private.m:4:3"
%           (lhs (name :id 2 (arraytype :layout colmajor :ndims 2 (float64))))
%           (rhs
%             (alloc :func zeros (arraytype :layout colmajor :ndims 2 (float64))
%               (args (name :id 1 (float64)) (realconst :ival 1 (int64))))))
%         (ifstmt :loc "parfor-private.m:5:3"
%           (test
%             (not (bool)
%               (leq (bool)
%                 (lhs (libcall :libfunc abs (float64) (args (name :id 1 (float64)))))
%                 (rhs (realconst :dval 9007199254740992 (float64))))))
%           (if (raise :loc "parfor-private.m:5:3" :code 0 :text "a range without bounds")))
%         (ifstmt :loc "parfor-private.m:5:3"
%           (test
%             (and (bool)
%               (lhs
%                 (neq (bool)
%                   (lhs (name :id 1 (float64)))
%                   (rhs (libcall :libfunc floor (float64) (args (name :id 1 (float64)))))))
%               (rhs
%                 (lt (bool)
%                   (lhs
%                     (libcall :libfunc abs (float64)
%                       (args
%                         (minus (float64)
%                           (lhs (name :id 1 (float64)))
%                           (rhs
%                             (libcall :libfunc floor (float64)
%                               (args
%                                 (plus (float64)
%                                   (lhs (name :id 1 (float64)))
%                                   (rhs (realconst :dval 0.5 (float64)))))))))))
%                   (rhs
%                     (mult (float64)
%                       (lhs
%                         (plus (float64)
%                           (lhs (libcall :libfunc abs (float64) (args (name :id 1 (float64)))))
%                           (rhs (realconst :dval 1 (float64)))))
%                       (rhs (realconst :dval 1e-09 (float64)))))))))
%           (if
%             (raise :loc "parfor-private.m:5:3" :code 1 :text "a range whose last element is a rounding error away")))
%         (pforstmt :loc "parfor-private.m:5:3"
%           (itervars 3)
%           (loopdomain
%             (domain (domaintype :ndims 1 (int64))
%               (range :exclude %0
%                 (start (realconst :ival 1 (int64)))
%                 (stop
%                   (cast (int64) (libcall :libfunc floor (float64) (args (name :id 1 (float64)))))))))
%           (shared 0 2)
%           (body
%             (assignstmt :loc "parfor-private.m:5:3"
%               (lhs (name :id 4 (float64)))
%               (rhs (cast (float64) (name :id 3 (int64)))))
%             (assignstmt :loc "parfor-private.m:6:5"
%               (lhs (name :id 5 (arraytype :layout colmajor :ndims 2 (float64))))
%               (rhs
%                 (index :arrayid 0 (arraytype :layout colmajor :ndims 2 (float64))
%                   (indices
%                     (index (name :id 3 (int64)))
%                     (index (range (domaintype :ndims 1 (int64))))))))
%             (assignstmt :loc "parfor-private.m:7:5"
%               (lhs (name :id 6 (float64)))
%               (rhs
%                 (libcall :libfunc scalar (float64)
%                   (args
%                     (libcall :libfunc sum (arraytype :layout colmajor :ndims 2 (float64))
%                       (args (name :id 5 (arraytype :layout colmajor :ndims 2 (float64)))))))))
%             (assignstmt :loc "parfor-private.m:8:5"
%               (lhs (name :id 7 (float64)))
%               (rhs
%                 (mult (float64) (lhs (name :id 6 (float64))) (rhs (realconst :dval 2 (float64))))))
%             (assignstmt :loc "parfor-private.m:8:5"
%               (lhs (index :arrayid 2 (float64) (indices (index :grow %0 (name :id 3 (int64))))))
%               (rhs (name :id 7 (float64))))))
%         (returnstmt :loc "parfor-private.m:5:3"
%           (exprs (name :id 2 (arraytype :layout colmajor :ndims 2 (float64))))))
%       (symtable
%         (sym :id 0 :name A (arraytype :layout colmajor :ndims 2 (float64)))
%         (sym :id 1 :name n (float64))
%         (sym :id 2 :name out (arraytype :layout colmajor :ndims 2 (float64)))
%         (sym :id 3 :name i_count (int64))
%         (sym :id 4 :name i (float64))
%         (sym :id 5 :name row (arraytype :layout colmajor :ndims 2 (float64)))
%         (sym :id 6 :name t (float64))
%         (sym :id 7 :name stored (float64))))))
% ; result 1: double
% ; #0: a range without bounds
% ; #1: a range whose last element is a rounding error away
