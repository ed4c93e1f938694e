% RUN: emit --args double:1xN
function s = f(x)
  s = 0;
  parfor i = 1:numel(x)
    s = x(i) - s;
  end
end
% EXPECT
% (module :name "parfor-serial" :indexing 1 :exclude %0 :flatten %1 :grow %1 :assign copy :slices copy :nan omit :mindims 2 :fastmath %0 :broadcast leading
%   (fns
%     (function f
%       (functype (intypes (arraytype :layout colmajor :ndims 2 (float64))) (outtypes (float64)))
%       (arglist (arg :id 0))
%       (body
%         (assignstmt :loc "parfor-serial.m:3:3"
%           (lhs (name :id 1 (float64)))
%           (rhs (realconst :dval 0 (float64))))
%         (assignstmt :loc "parfor-serial.m:4:3"
%           (lhs (name :id 3 (bool)))
%           (rhs (realconst :ival 0 (bool))))
%         (forstmt :loc "parfor-serial.m:4:3"
%           (itervars 2)
%           (loopdomain
%             (domain (domaintype :ndims 1 (int64))
%               (range :exclude %0
%                 (start (realconst :ival 1 (int64)))
%                 (stop
%                   (libcall :libfunc numel (int64)
%                     (args (name :id 0 (arraytype :layout colmajor :ndims 2 (float64)))))))))
%           (body
%             (assignstmt :loc "parfor-serial.m:4:3"
%               (lhs (name :id 4 (float64)))
%               (rhs (cast (float64) (name :id 2 (int64)))))
%             (assignstmt :loc "parfor-serial.m:5:5"
%               (lhs (name :id 1 (float64)))
%               (rhs
%                 (minus (float64)
%                   (lhs (index :arrayid 0 (float64) (indices (index (name :id 2 (int64))))))
%                   (rhs (name :id 1 (float64))))))
%             (assignstmt :loc "parfor-serial.m:5:5"
%               (lhs (name :id 3 (bool)))
%               (rhs (realconst :ival 1 (bool))))))
%         (returnstmt :loc "parfor-serial.m:5:5" (exprs (name :id 1 (float64)))))
%       (symtable
%         (sym :id 0 :name x (arraytype :layout colmajor :ndims 2 (float64)))
%         (sym :id 1 :name s (float64))
%         (sym :id 2 :name i_count (int64))
%         (sym :id 3 :name i_assigned (bool))
%         (sym :id 4 :name i (float64))))))
% ; result 1: double
