% What compiled functions print: octave-cli --norc output.m PACKAGE. Fails at the first that does not hold.
1;

function r = table_of (n)
  r = 0;
  for k = 1:n
    printf ("%d %5.2f\n", k, k / 3);
    r += k;
  end
  r
end

function r = fails_late (x)
  puts ("once\n");
  disp (x);
  r = x(4);
end

function r = mixed (n)
  global unknown_to_the_compiler
  r = 0;
  printf ("begin\n");
  for k = 1:n
    printf ("loop %d\n", k);
    r += k;
  end
  printf ("end\n");
end

function r = loop_fails (x)
  global unknown_to_the_compiler
  r = 0;
  for k = 1:5
    printf ("%d\n", k);
    r += x(k);
  end
end

function outer (n)
  printf ("outer\n");
  inner (n);
  printf ("outer again\n");
end

function inner (n)
  printf ("inner %d\n", n);
end

function r = interpreted (n)
  persistent calls = 0;
  printf ("a\n");
  r = table_of (n);
  printf ("b\n");
end

function much (n)
  s = repmat ("x", 1, 2^20);
  for k = 1:n
    puts (s);
  end
end

function third (x)
  x
end

function forms (t, n)
  printf (t, n);
end

function n = answered (name)
  n = 0;
  for u = vr.report ()'
    if (strncmp (u.function, name, numel (name)))
      n += u.answered;
    end
  end
end

addpath (argv (){1});
more off

% The same text, once, with the results.
expected = evalc ("r = table_of (4);");
vr.on ("table_of");
assert (evalc ("s = table_of (4);"), expected);
assert (r, s);
assert (answered ("table_of"), 1);
% In the order of what interpreted callers print.
assert (evalc ("interpreted (2);"), ["a\n" evalc("table_of (2);") "b\n"]);
assert (answered ("table_of"), 3);
vr.off ("table_of");

% What a call that bails out has printed is printed once, and the error is Octave's.
g = vr.jit (@fails_late);
message = "";
text = evalc ("try, g ([1 2]); catch e, message = e.message; end");
assert (text, "once\n   1   2\n");
assert (! isempty (strfind (message, "out of bound")));
assert (evalc ("assert (g ([1 5 3 4]), 4)"), "once\n   1   5   3   4\n");

% Loops of functions that are not compiled as a whole.
vr.report ("clear");
g = vr.jit (@mixed);
assert (evalc ("assert (g (2), 3)"), "begin\nloop 1\nloop 2\nend\n");
assert (answered ("mixed"), 1);
g = vr.jit (@loop_fails);
assert (evalc ("try, g ([1 2 3]); end"), "1\n2\n3\n4\n");
assert (evalc ("g (1:5);"), "1\n2\n3\n4\n5\n");

% Functions without results.
vr.report ("clear");
g = vr.jit (@outer);
assert (evalc ("g (7)"), "outer\ninner 7\nouter again\n");
assert (answered ("outer"), 1);
fail ("x = g (7)", "outer: function called with too many outputs");

% The format is that of the moment of the call.
g = vr.jit (@third);
assert (evalc ("g (1 / 3)"), "x = 0.3333\n");
format long
assert (evalc ("g (1 / 3)"), "x = 0.333333333333333\n");
format
assert (answered ("third"), 2);
assert (evalc ("g ([1 2 4])"), "x =\n\n   1   2   4\n\n");
assert (evalc ("g (0:3:10)"), evalc ("third (0:3:10)"));
assert (evalc ("g (eye (2))"), evalc ("third (eye (2))"));

% Quotes of a template decide about its escapes.
g = vr.jit (@forms);
assert (evalc ("g ('%d\\n', 3)"), "3\n");
assert (evalc ("g (\"%d\\\\n\", 3)"), "3\\n");
assert (answered ("forms"), 2);

% More than is kept is left to the interpreter.
vr.report ("clear");
g = vr.jit (@much);
assert (numel (evalc ("g (3)")), 3 * 2^20);
assert (numel (evalc ("g (66)")), 66 * 2^20);
assert (answered ("much"), 1);

% vr.compare compares output too, and shows none.
text = evalc ("c = vr.compare (1, @table_of, 3);");
assert (text, "");
assert (c.outcome, "right");
assert (c.output, evalc ("table_of (3);"));
assert (__vr__ ("live"), 0);
printf ("output: passed\n");
