% gpu_begin ()  Begin an accelerated section of a compiled function (thesis 9.1.1).
%
% Compiled code runs the statements between gpu_begin () and gpu_end () on the OpenCL device with
% vr.settings ("target", "opencl"). In the interpreter this function has no effect.

function gpu_begin ()
end

%!test
%! gpu_begin ();
