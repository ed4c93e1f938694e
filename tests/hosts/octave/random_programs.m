% random_programs (K, MAKE): the test of random functions `f` with K results; called by scripts with the arguments PACKAGE SEED COUNT.
% [text, args] = MAKE () gives a function's text and its arguments; an empty text is left out. Compiled code, on the interpreter of
% VRIR, has to give the results of Octave's interpreter. The last line has the counts; ends the process, which fails when one
% is wrong. With the environment variable REASONS, the reason for each outcome is printed.
function random_programs (results, make)
  list = argv ();
  addpath (list{1});
  warning ('off', 'all');
  more off
  vr.settings ('target', 'interp', 'tiered', false);
  rand ('seed', str2double (list{2}));
  c = struct ('right', 0, 'bailed_out', 0, 'refused', 0, 'wrong', 0, 'in_part', 0);
  for q = 1:str2double (list{3})
    [text, args] = make ();
    if (isempty (text))
      continue;
    end
    clear -f f
    eval (text);
    r = vr.compare (results, 'f', args{:});
    key = strrep (r.outcome, ' ', '_');
    c.(key)++;
    if (strcmp (key, 'wrong'))
      printf ("-----\n%s\n%s\n%s\n", text, disp (args), r.reason);
    end
    if (! isempty (getenv ('REASONS')))
      printf ("reason: %s: %s\n", key, r.reason);
    end
  end
  printf ("random: %d right, %d bailed out, %d in part, %d refused, %d wrong\n", c.right, c.bailed_out, c.in_part, c.refused, c.wrong);
  exit (c.wrong > 0 || c.right == 0);
end
