% The %!test blocks of Octave's own functions with the function that they test compiled:
% octave-cli --norc own_tests.m PACKAGE [FOLDER...], FOLDER being one of scripts/, such as general. Each function has to
% pass as many blocks as it does interpreted. The last line counts functions of which compiled code answered calls, and those of which
% it ran outlined loops alone. With the environment variable OWN_TESTS_OUT, writes a line for each reason why a function had no compiled
% calls there; PROBES_TARGET is a target of vr.settings.
arguments = argv ();
addpath (arguments{1});
more off
if (! isempty (getenv ('PROBES_TARGET')))
  vr.settings ('target', getenv ('PROBES_TARGET'), 'tiered', false);
end
warning ('off', 'all');
folders = arguments(2:end);
if (isempty (folders))
  folders = {'general'; 'linear-algebra'; 'set'; 'polynomial'; 'signal'; 'specfun'; 'statistics'; 'special-matrix'; 'elfun'};
end
all = native = in_part = mismatches = answered = interpreted = 0;
out = '';
for folder = folders'
  for file = glob (fullfile (matlabroot (), 'share', 'octave', version (), 'm', folder{1}, '*.m'))'
    [~, name] = fileparts (file{1});
    if (name(1) == '_')
      continue;
    end
    before = test (file{1}, 'quiet', stdout);
    vr.report ('clear');
    vr.on (name);
    after = test (file{1}, 'quiet', stdout);
    vr.off ();
    r = vr.report ();
    all += 1;
    n = sum ([r.answered, 0]);
    answered += n;
    interpreted += sum ([r.interpreted, 0]);
    whole = 0;
    for u = r'
      if (! strncmp (u.arguments, 'loop at', 7))
        whole += u.answered;
      end
    end
    printf ("%s: %d compiled, %d of them loops, %d interpreted\n", name, n, n - whole, sum ([r.interpreted, 0]));
    fflush (stdout);
    native += n > 0;
    in_part += n > 0 && whole == 0;
    if (n == 0)
      for u = r'
        reason = [strtrim(u.reason), ' '];
        if (! isempty (u.bails))
          reason = ['bailed out: ', u.bails(1).reason];
        end
        out = [out, sprintf("%s (%s): %s\n", name, u.arguments, strrep (reason, "\n", ' | '))];
      end
    end
    if (before != after)
      mismatches += 1;
      printf ("mismatch: %s: %d blocks pass interpreted, %d compiled\n", file{1}, before, after);
    end
  end
end
if (! isempty (getenv ('OWN_TESTS_OUT')))
  h = fopen (getenv ('OWN_TESTS_OUT'), 'w');
  fputs (h, out);
  fclose (h);
end
printf ("own tests: %d functions, %d with compiled calls, %d of them in loops alone (%d compiled, %d interpreted), %d mismatches\n", all, native, in_part, answered, interpreted, mismatches);
exit (mismatches > 0);
