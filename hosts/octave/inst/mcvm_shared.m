% mcvm_shared (...)  Names the shared variables of a parfor loop (the thesis's 9.1.1), which are inferred. Does nothing.

function mcvm_shared (varargin)
end

%!test
%! mcvm_shared (1, 2);
