% RUN: emit --args double
function x = f(n)
  x = 1;
  if n > 2
    x = [n, n];
  end
end
% EXPECT
% (module :name "renamed-variable" :indexing 1 :exclude %0 :flatten %1 :grow %1 :assign copy :slices copy :nan omit :mindims 2 :fastmath %0 :broadcast leading
%   (fns
%     (function f
%       (functype (intypes (float64)) (outtypes (arraytype :layout colmajor :ndims 2 (float64))))
%       (arglist (arg :id 0))
%       (body
%         (assignstmt :loc "renamed-variable.m:3:3"
%           (lhs (name :id 1 (float64)))
%           (rhs (realconst :dval 1 (float64))))
%         (ifstmt :loc "renamed-variable.m:4:8"
%           (test (gt (bool) (lhs (name :id 0 (float64))) (rhs (realconst :dval 2 (float64)))))
%           (if
%             (assignstmt :loc "renamed-variable.m:5:5"
%               (lhs (name :id 2 (arraytype :layout colmajor :ndims 2 (float64))))
%               (rhs
%                 (libcall :libfunc horzcat (arraytype :layout rowmajor :ndims 2 (float64))
%                   (args (name :id 0 (float64)) (name :id 0 (float64)))))))
%           (else
%             (assignstmt :loc "renamed-variable.m:5:5"
%               (lhs (name :id 2 (arraytype :layout colmajor :ndims 2 (float64))))
%               (rhs
%                 (libcall :libfunc reshape (arraytype :layout colmajor :ndims 2 (float64))
%                   (args
%                     (realconst :dval 1 (float64))
%                     (realconst :ival 1 (int64))
%                     (realconst :ival 1 (int64))))))))
%         (returnstmt :loc "renamed-variable.m:4:8"
%           (exprs (name :id 2 (arraytype :layout colmajor :ndims 2 (float64))))))
%       (symtable
%         (sym :id 0 :name n (float64))
%         (sym :id 1 :name x (float64))
%         (sym :id 2 :name x (arraytype :layout colmajor :ndims 2 (float64)))))))
% ; result 1: double
