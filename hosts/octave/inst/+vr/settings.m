% vr.settings (name, value, ...)  Change settings of compiled functions.
% s = vr.settings ()               The settings, as a structure.
%
%   enabled     whether functions run as compiled code (true)
%   target      'cpu-par' all processors (the default), 'cpu' one, 'opencl' sections between %#vr gpu and %#vr end on
%               the OpenCL device, 'interp' a slow interpreter, for tests
%   tiered      run unoptimised code for the first calls, and optimise in the background (true)
%   opt_level   0 to 3 (2)
%   threads     0: the value of the environment variable VR_NUM_THREADS, else the number of processors
%   disk_cache  keep compiled code on disk for later sessions (true)
%   versions    maximum number of versions of one function, for different classes and shapes of arguments (32)
%
% After a change, all functions are compiled again.
%
% See also: vr.report, vr.jit

function s = settings (varargin)
  if (nargin == 0)
    s = __vr__ ("settings");
    return;
  end
  if (mod (nargin, 2) != 0)
    error ("Octave:invalid-fun-call", "vr.settings: expected pairs of names and values");
  end
  for k = 1:2:nargin
    __vr__ ("set", varargin{k}, varargin{k + 1});
  end
end

%!test
%! before = vr.settings ();
%! unwind_protect
%!   vr.settings ("target", "cpu", "opt_level", 1);
%!   s = vr.settings ();
%!   assert (s.target, "cpu");
%!   assert (s.opt_level, 1);
%!   g = vr.jit (@(x) x + 1);
%!   assert (g (1), 2);
%!   vr.settings ("enabled", false);
%!   assert (g (1), 2);
%! unwind_protect_cleanup
%!   vr.settings ("target", before.target, "opt_level", before.opt_level, "enabled", before.enabled);
%! end_unwind_protect
%!error <there is no setting> vr.settings ("colour", 1)
%!error <must be> vr.settings ("target", "gpu")
%!error <must be an integer> vr.settings ("opt_level", 9)
%!error <must be an integer> vr.settings ("threads", "many")
%!error <pairs of names and values> vr.settings ("threads")

%!demo
%! % The settings, and another number of threads.
%! before = vr.settings ()
%! vr.settings ("threads", 2);
%! vr.settings ("threads", before.threads);
