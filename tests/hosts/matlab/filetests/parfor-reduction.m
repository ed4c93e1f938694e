% RUN: emit --args double:1xN
function s = f(x)
  s = 0;
  parfor i = 1:numel(x)
    s = s + x(i);
  end
end
% EXPECT
% (module :name "parfor-reduction" :indexing 1 :exclude %0 :flatten %1 :grow %1 :assign copy :slices copy :nan omit :mindims 2 :fastmath %0 :broadcast leading
%   (fns
%     (function f
%       (functype (intypes (arraytype :layout colmajor :ndims 2 (float64))) (outtypes (float64)))
%       (arglist (arg :id 0))
%       (body
%         (assignstmt :loc "parfor-reduction.m:3:3"
%           (lhs (name :id 1 (float64)))
%           (rhs (realconst :dval 0 (float64))))
%         (assignstmt :loc "parfor-reduction.m:4:3"
%           (lhs (name :id 5 (int64)))
%           (rhs (realconst :ival 1 (int64))))
%         (assignstmt :loc "parfor-reduction.m:4:3"
%           (lhs (name :id 6 (int64)))
%           (rhs
%             (libcall :libfunc numel (int64)
%               (args (name :id 0 (arraytype :layout colmajor :ndims 2 (float64)))))))
%         (assignstmt :loc "parfor-reduction.m:4:3"
%           (lhs (name :id 7 (int64)))
%           (rhs
%             (div (int64)
%               (lhs
%                 (plus (int64)
%                   (lhs
%                     (libcall :libfunc max2 (int64)
%                       (args
%                         (plus (int64)
%                           (lhs
%                             (minus (int64) (lhs (name :id 6 (int64))) (rhs (name :id 5 (int64)))))
%                           (rhs (realconst :ival 1 (int64))))
%                         (realconst :ival 0 (int64)))))
%                   (rhs (realconst :ival 63 (int64)))))
%               (rhs (realconst :ival 64 (int64))))))
%         (assignstmt :loc "parfor-reduction.m:4:3"
%           (lhs (name :id 3 (arraytype :layout colmajor :ndims 2 (float64))))
%           (rhs
%             (alloc :func zeros (arraytype :layout colmajor :ndims 2 (float64))
%               (args (realconst :ival 1 (int64)) (realconst :ival 64 (int64))))))
%         (pforstmt :loc "parfor-reduction.m:4:3"
%           (itervars 8)
%           (loopdomain
%             (domain (domaintype :ndims 1 (int64))
%               (range :exclude %0
%                 (start (realconst :ival 1 (int64)))
%                 (stop (realconst :ival 64 (int64))))))
%           (shared 0 5 6 7 3)
%           (body
%             (assignstmt :loc "parfor-reduction.m:4:3"
%               (lhs (name :id 1 (float64)))
%               (rhs (realconst :dval 0 (float64))))
%             (assignstmt :loc "parfor-reduction.m:4:3"
%               (lhs (name :id 9 (int64)))
%               (rhs
%                 (plus (int64)
%                   (lhs (name :id 5 (int64)))
%                   (rhs
%                     (mult (int64)
%                       (lhs
%                         (minus (int64) (lhs (name :id 8 (int64))) (rhs (realconst :ival 1 (int64)))))
%                       (rhs (name :id 7 (int64))))))))
%             (forstmt :loc "parfor-reduction.m:4:3"
%               (itervars 2)
%               (loopdomain
%                 (domain (domaintype :ndims 1 (int64))
%                   (range :exclude %0
%                     (start (name :id 9 (int64)))
%                     (stop
%                       (libcall :libfunc min2 (int64)
%                         (args
%                           (minus (int64)
%                             (lhs
%                               (plus (int64) (lhs (name :id 9 (int64))) (rhs (name :id 7 (int64)))))
%                             (rhs (realconst :ival 1 (int64))))
%                           (name :id 6 (int64))))))))
%               (body
%                 (assignstmt :loc "parfor-reduction.m:4:3"
%                   (lhs (name :id 4 (float64)))
%                   (rhs (cast (float64) (name :id 2 (int64)))))
%                 (assignstmt :loc "parfor-reduction.m:5:5"
%                   (lhs (name :id 1 (float64)))
%                   (rhs
%                     (plus (float64)
%                       (lhs (name :id 1 (float64)))
%                       (rhs (index :arrayid 0 (float64) (indices (index (name :id 2 (int64)))))))))))
%             (assignstmt :loc "parfor-reduction.m:4:3"
%               (lhs (index :arrayid 3 (float64) (indices (index :grow %0 (name :id 8 (int64))))))
%               (rhs (name :id 1 (float64))))))
%         (forstmt :loc "parfor-reduction.m:4:3"
%           (itervars 8)
%           (loopdomain
%             (domain (domaintype :ndims 1 (int64))
%               (range :exclude %0
%                 (start (realconst :ival 1 (int64)))
%                 (stop (realconst :ival 64 (int64))))))
%           (body
%             (assignstmt :loc "parfor-reduction.m:4:3"
%               (lhs (name :id 1 (float64)))
%               (rhs
%                 (plus (float64)
%                   (lhs (name :id 1 (float64)))
%                   (rhs (index :arrayid 3 (float64) (indices (index (name :id 8 (int64)))))))))))
%         (returnstmt :loc "parfor-reduction.m:4:3" (exprs (name :id 1 (float64)))))
%       (symtable
%         (sym :id 0 :name x (arraytype :layout colmajor :ndims 2 (float64)))
%         (sym :id 1 :name s (float64))
%         (sym :id 2 :name i_count (int64))
%         (sym :id 3 :name s_parts (arraytype :layout colmajor :ndims 2 (float64)))
%         (sym :id 4 :name i (float64))
%         (sym :id 5 :name from (int64))
%         (sym :id 6 :name to (int64))
%         (sym :id 7 :name part_size (int64))
%         (sym :id 8 :name part (int64))
%         (sym :id 9 :name first (int64))))))
% ; result 1: double
