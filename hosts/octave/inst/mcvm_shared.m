% mcvm_shared (...)  Declares the shared variables of a parfor loop (thesis 9.1.1). It has no effect: they are inferred.

function mcvm_shared (varargin)
end

%!test
%! mcvm_shared (1, 2);
