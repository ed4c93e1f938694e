% vr.compare (f, ...)               Run a function both ways and show what differs.
% c = vr.compare (f, ...)           The same as a structure.
% c = vr.compare (nargout, f, ...)  Ask for this number of results; otherwise as many as the function has.
%
% f is a handle or a name, followed by the arguments of a call. The interpreter and compiled code run the call, each
% once. Classes, sizes and whether results are complex have to be equal; elements may differ by rounding: 1e-10 of the
% larger, in single precision 1e-4. An error of the interpreter has to be one where compiled code bails out.
%
% The fields of c: outcome, reason, results (of the interpreter), error (its message, or empty). The outcomes:
%   "right"       compiled code gave the interpreter's results
%   "bailed out"  compiled code left the call to the interpreter; reason says why
%   "in part"     the function was not compiled, but parts of it were, and gave the interpreter's results; reason says why
%   "refused"     nothing of the function was compiled for these arguments; reason says why
%   "wrong"       compiled code gave something else: an error of Velociraptor
%
% See also: vr.jit, vr.report

function c = compare (varargin)
  n = [];
  if (nargin > 0 && isnumeric (varargin{1}) && isscalar (varargin{1}))
    n = varargin{1};
    varargin(1) = [];
  end
  if (isempty (varargin))
    error ("Octave:invalid-fun-call", "vr.compare: a function and its arguments");
  end
  f = varargin{1};
  args = varargin(2:end);
  if (isempty (n))
    n = 1;
    try
      n = max (1, nargout (f));
    catch
    end_try_catch
  end
  if (ischar (f) || is_function_handle (f))
    g = vr.jit (f);
  else
    error ("Octave:invalid-fun-call", "vr.compare: a function handle or a name");
  end
  c = struct ("outcome", "", "reason", "", "results", {cell(1, n)}, "error", "");
  try
    [c.results{1:n}] = __vr__ ("interpret", g, n, args{:});
  catch e
    c.error = e.message;
    c.results = {};
  end_try_catch
  [answered, why, out] = __vr__ ("attempt", g, n, args{:});
  if (answered)
    c.outcome = "right";
    if (! isempty (c.error))
      c.outcome = "wrong";
      c.reason = ["a result, where the interpreter has the error: " c.error];
    end
    c = check_results (c, out);
  else
    k = strfind (why, ": ");
    c.outcome = why(1:k(1)-1);
    c.reason = why(k(1)+2:end);
    if (strcmp (c.outcome, "refused"))
      message = "";
      parts = 0;
      try
        [parts, out] = __vr__ ("parts", g, n, args{:});
      catch e
        message = e.message;
      end_try_catch
      if (! strcmp (message, c.error))
        c.outcome = "wrong";
        c.reason = sprintf ("with compiled parts, the error is '%s' and not '%s'", message, c.error);
      elseif (parts > 0)
        c.outcome = "in part";
      end
      if (isempty (message))
        c = check_results (c, out);
      end
    end
  end
  if (nargout == 0)
    printf ("%s", c.outcome);
    if (! isempty (c.reason))
      printf (": %s", c.reason);
    end
    printf ("\n");
    clear c;
  end
end

function c = check_results (c, out)
  for k = 1:numel (c.results)
    why = "";
    if (k > numel (out))
      why = "it is missing";
    else
      why = vr.difference (out{k}, c.results{k});
    end
    if (! isempty (why))
      c.outcome = "wrong";
      c.reason = sprintf ("result %d: %s", k, why);
      break;
    end
  end
end

%!test
%! c = vr.compare (@(x) x + 1, 1:3);
%! assert (c.outcome, "right");
%! assert (c.results, {2:4});
%!test
%! c = vr.compare (@(x) log (x), -1);
%! assert (c.outcome, "bailed out");
%! assert (c.results, {log(-1)});
%!test
%! c = vr.compare (@(x) x(3), [1 2]);
%! assert (c.outcome, "bailed out");
%! assert (! isempty (c.error));
%!test
%! c = vr.compare (@(x) num2cell (x), 1);
%! assert (c.outcome, "refused");
%!test
%! c = vr.compare (2, @(x) max (x), [3 1 2]);
%! assert (c.outcome, "right");
%! assert (c.results, {3, 1});
%!error <a function and> vr.compare ()
%!error <a function handle or a name> vr.compare ({})
