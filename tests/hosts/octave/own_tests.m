% The %!test blocks of Octave's own functions with the function that they test compiled:
% octave-cli --norc own_tests.m PACKAGE [FOLDER...], FOLDER being one of scripts/, such as general. Each function has to
% pass as many blocks as it does interpreted. The last line counts functions of which compiled code answered calls.
arguments = argv ();
addpath (arguments{1});
more off
warning ('off', 'all');
folders = arguments(2:end);
if (isempty (folders))
  folders = {'general'; 'linear-algebra'; 'set'; 'polynomial'; 'signal'; 'specfun'; 'statistics'; 'special-matrix'; 'elfun'};
end
all = native = mismatches = answered = interpreted = 0;
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
    native += n > 0;
    if (before != after)
      mismatches += 1;
      printf ("mismatch: %s: %d blocks pass interpreted, %d compiled\n", file{1}, before, after);
    end
  end
end
printf ("own tests: %d functions, %d with compiled calls (%d compiled, %d interpreted), %d mismatches\n", all, native, answered, interpreted, mismatches);
exit (mismatches > 0);
