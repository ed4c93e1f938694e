% why = vr.difference (got, wanted)  Describes how two values differ; empty if they are equal up to rounding.
%
% See also: vr.compare

function why = difference (got, wanted)
  why = "";
  if (! strcmp (class (got), class (wanted)))
    why = sprintf ("class %s instead of %s", class (got), class (wanted));
  elseif (! isequal (size (got), size (wanted)))
    why = sprintf ("size %s instead of %s", mat2str (size (got)), mat2str (size (wanted)));
  elseif (iscomplex (got) != iscomplex (wanted))
    why = "one is real, the other complex";
  elseif (iscell (got))
    for k = 1:numel (got)
      why = vr.difference (got{k}, wanted{k});
      if (! isempty (why))
        why = sprintf ("cell %d: %s", k, why);
        return;
      end
    end
  elseif (isstruct (got) && isequal (sort (fieldnames (got)), sort (fieldnames (wanted))))
    for name = fieldnames (got)'
      why = vr.difference ({got.(name{1})}, {wanted.(name{1})});
      if (! isempty (why))
        why = sprintf ("field %s: %s", name{1}, why);
        return;
      end
    end
  elseif (! (isnumeric (got) || islogical (got) || ischar (got)))
    if (! isequal (got, wanted))
      why = "different values";
    end
  elseif (isinteger (got))
    k = find (got(:) != wanted(:), 1);  # not as doubles, which 64-bit integers are not
    if (! isempty (k))
      why = sprintf ("element %d: %d instead of %d", k, got(k), wanted(k));
    end
  else
    tolerance = 0;
    if (isfloat (got))
      tolerance = ifelse_single (got, 1e-4, 1e-10);
    end
    for part = {@real, @imag}
      a = double (part{1} (got(:)));
      b = double (part{1} (wanted(:)));
      same = a == b | (isnan (a) & isnan (b));
      close = abs (a - b) <= tolerance * max (max (abs (a), abs (b)), 1e-3) & isfinite (a) & isfinite (b);
      k = find (! (same | close), 1);
      if (! isempty (k))
        why = sprintf ("element %d: %.17g instead of %.17g", k, a(k), b(k));
        return;
      end
    end
  end
end

function t = ifelse_single (x, a, b)
  if (isa (x, "single"))
    t = a;
  else
    t = b;
  end
end

%!assert (vr.difference (1, 1), "")
%!assert (vr.difference (NaN, NaN), "")
%!assert (vr.difference (1, 1 + 1e-14), "")
%!assert (vr.difference (1, 1.1), "element 1: 1 instead of 1.1000000000000001")
%!assert (vr.difference (single (1), 1), "class single instead of double")
%!assert (vr.difference ([1 2], [1; 2]), "size [1 2] instead of [2 1]")
%!assert (vr.difference (intmax ("int64"), intmax ("int64") - 1), "element 1: 9223372036854775807 instead of 9223372036854775806")
%!assert (vr.difference (Inf, -Inf), "element 1: Inf instead of -Inf")
%!assert (vr.difference ({1, NaN}, {1, NaN}), "")
%!assert (vr.difference ({1, 2}, {1, 3}), "cell 2: element 1: 2 instead of 3")
%!assert (vr.difference (struct ("a", 1), struct ("a", 2)), "field a: cell 1: element 1: 1 instead of 2")
%!assert (vr.difference (struct ("a", 1), struct ("b", 1)), "different values")
