% vr.on (name, ...)  Run functions as compiled code wherever they are called by name.
%
% After this, every call of the functions runs compiled code where possible (see vr.jit), also calls in interpreted
% functions. vr.off or `clear NAME` ends this.
%
%   vr.on ('solve', 'step')
%
% See also: vr.off, vr.jit, vr.report

function on (varargin)
  if (nargin == 0)
    error ("Octave:invalid-fun-call", "vr.on: expected the names of functions");
  end
  __vr__ ("on", varargin{:});
end

%!error <built-in> vr.on ("sin")
%!error <there is no function> vr.on ("no_such_function_here")
%!error <must be a string> vr.on (1)
%!error <the names of functions> vr.on ()
%!test
%! eval ("function r = vr_on_f (x), r = 0; for k = 1:numel (x), r = r + x(k) ^ 2; end, end");
%! unwind_protect
%!   vr.on ("vr_on_f");
%!   assert (vr_on_f ([1 2 3]), 14);
%!   assert (cellfun (@vr_on_f, {[1 2], 3}), [5 9]);
%! unwind_protect_cleanup
%!   vr.off ("vr_on_f");
%! end_unwind_protect
%! assert (vr_on_f ([1 2 3]), 14);

%!demo
%! % All calls of a function by its name run as compiled code, until vr.off.
%! vr.on ("trapz");
%! trapz (sin (linspace (0, pi, 1000)))
%! vr.report
%! vr.off ("trapz");
