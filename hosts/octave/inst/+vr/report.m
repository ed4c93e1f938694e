% vr.report            Show which functions ran as compiled code.
% r = vr.report ()     The same as a structure array.
% vr.report ("clear")  Reset the report.
%
% There is a line for each function and each combination of argument classes: how many calls were run by compiled code,
% how many by the interpreter, and why: the function was refused, or calls bailed out. A call bails out if compiled code
% would raise an error or give a result other than Octave's. A function is given up if nearly all of its calls bail out.
% Extents are shown as 1, N (not 1) or ? (any).
%
% Loops of a refused function have lines of their own, compiled or not: "loop at LINE:COLUMN" and the types of the
% variables that the loop reads.
%
% The fields of r: function, arguments, state ("compiled", "refused" or "given up"), reason (of a refusal), compile_ms,
% phases (parts of compile_ms: trees, types, code), answered and interpreted (numbers of calls), bails (a structure
% array: reason, count), remarks (loops that run serially, statements that always bail out, what an accelerated section
% did not run on the device).
%
% See also: vr.jit, vr.compare

function r = report (what)
  if (nargin == 1)
    if (! strcmp (what, "clear"))
      error ("Octave:invalid-fun-call", 'vr.report: the argument must be "clear"');
    end
    __vr__ ("forget");
    return;
  end
  list = __vr__ ("report");
  if (nargout > 0)
    r = list;
    return;
  end
  if (isempty (list))
    printf ("No function has been called.\n");
  end
  for k = 1:numel (list)
    u = list(k);
    printf ("%s (%s): %s", u.function, u.arguments, u.state);
    if (strcmp (u.state, "compiled"))
      printf (" in %.1f ms", u.compile_ms);
    end
    printf (", %d compiled, %d interpreted\n", u.answered, u.interpreted);
    if (! isempty (u.reason))
      printf ("  %s\n", strrep (strtrim (u.reason), "\n", "\n  "));
    end
    for i = 1:numel (u.bails)
      printf ("  %d bailed out: %s\n", u.bails(i).count, u.bails(i).reason);
    end
    for i = 1:numel (u.remarks)
      printf ("  %s\n", u.remarks{i});
    end
  end
end

%!test
%! vr.report ("clear");
%! g = vr.jit (@(x) acos (x));
%! g (0); g (0.5); g (2);
%! r = vr.report ();
%! assert (numel (r), 1);
%! assert (r.state, "compiled");
%! assert ([r.answered, r.interpreted], [2, 1]);
%! assert (r.bails.count, 1);
%!test  # a version for complex results takes the place of the first
%! vr.report ("clear");
%! g = vr.jit (@(x) sqrt (x));
%! assert ({g(4), g(-1), g(9)}, {2, 1i, 3});
%! r = vr.report ();
%! assert (numel (r), 1);
%! assert ([r.answered, r.interpreted, numel(r.bails)], [3, 0, 0]);
%!test
%! vr.report ("clear");
%! g = vr.jit (@(x) cell (x, x));
%! assert (g (1), {[]});
%! r = vr.report ();
%! assert (r.state, "refused");
%! assert (! isempty (strfind (r.reason, "a cell array")));
%!test
%! vr.report ("clear");
%! assert (isempty (vr.report ()));
%!error <"clear"> vr.report ("all")

%!demo
%! % What was compiled, and why a function was not.
%! vr.report ("clear");
%! f = vr.jit (@(x) sum (x .^ 2));
%! f (1:10);
%! g = vr.jit (@(s) evalc (s));
%! g ("1 + 1");
%! vr.report
