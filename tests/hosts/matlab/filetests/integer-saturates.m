% RUN: emit --args int8:1xN int8:1xN
% Operands of the class, logical values and constants that it holds: saturating functions of the class.
function r = f(x, y)
  r = (x + y) .* 2 - (x > y);
end
% EXPECT
% (module :name "integer-saturates" :indexing 1 :exclude %0 :flatten %1 :grow %1 :assign copy :slices copy :nan omit :mindims 2 :fastmath %0 :broadcast leading
%   (fns
%     (function f
%       (functype
%         (intypes
%           (arraytype :layout colmajor :ndims 2 (int8))
%           (arraytype :layout colmajor :ndims 2 (int8)))
%         (outtypes (arraytype :layout colmajor :ndims 2 (int8))))
%       (arglist (arg :id 0) (arg :id 1))
%       (body
%         (assignstmt :loc "integer-saturates.m:4:3"
%           (lhs (name :id 2 (arraytype :layout colmajor :ndims 2 (int8))))
%           (rhs
%             (libcall :libfunc sub_sat (arraytype :layout colmajor :ndims 2 (int8))
%               (args
%                 (libcall :libfunc mul_sat (arraytype :layout colmajor :ndims 2 (int8))
%                   (args
%                     (libcall :libfunc add_sat (arraytype :layout colmajor :ndims 2 (int8))
%                       (args
%                         (name :id 0 (arraytype :layout colmajor :ndims 2 (int8)))
%                         (name :id 1 (arraytype :layout colmajor :ndims 2 (int8)))))
%                     (realconst :ival 2 (int8))))
%                 (cast (arraytype :layout colmajor :ndims 2 (int8))
%                   (gt (arraytype :layout colmajor :ndims 2 (bool))
%                     (lhs (name :id 0 (arraytype :layout colmajor :ndims 2 (int8))))
%                     (rhs (name :id 1 (arraytype :layout colmajor :ndims 2 (int8))))))))))
%         (returnstmt :loc "integer-saturates.m:4:3"
%           (exprs (name :id 2 (arraytype :layout colmajor :ndims 2 (int8))))))
%       (symtable
%         (sym :id 0 :name x (arraytype :layout colmajor :ndims 2 (int8)))
%         (sym :id 1 :name y (arraytype :layout colmajor :ndims 2 (int8)))
%         (sym :id 2 :name r (arraytype :layout colmajor :ndims 2 (int8)))))))
% ; result 1: int8
