% Runs the programs of tests/corpus/client compiled and compares with what Octave gave when the cases were recorded:
% octave-cli --norc client.m PACKAGE FOLDER. Each case has to be answered by compiled code.
1;

function v = value (d)
  if (strcmp (d.class, 'char'))
    v = d.text;
    return;
  end
  v = numbers (d.re);
  if (isfield (d, 'im'))
    v = complex (v, numbers (d.im));
  end
  v = reshape (v, d.dims(:).');
  if (strcmp (d.class, 'logical'))
    v = logical (v);
  else
    v = feval (d.class, v);
  end
end

% Numbers, and the texts "nan", "inf" and "-inf" that JSON has no numbers for.
function v = numbers (list)
  if (iscell (list))
    v = cellfun (@numbers, list);
  elseif (ischar (list))
    v = str2double (list);
  else
    v = double (list);
  end
end

% jsondecode gives structures that are alike as an array, others as a list.
function out = values (list)
  if (iscell (list))
    out = cellfun (@value, list(:)', 'UniformOutput', false);
  else
    out = arrayfun (@value, list(:)', 'UniformOutput', false);
  end
end

arguments = argv ();
addpath (arguments{1});
addpath (arguments{2});
more off
counts = struct ('right', 0, 'bailed_out', 0, 'in_part', 0, 'refused', 0, 'wrong', 0);
for file = glob (fullfile (arguments{2}, '*.m'))'
  [~, stem] = fileparts (file{1});
  j = jsondecode (fileread (fullfile (arguments{2}, [stem '.cases.json'])), 'makeValidName', false);
  cases = j.cases;
  for k = 1:numel (cases)
    if (iscell (cases))
      one = cases{k};
    else
      one = cases(k);
    end
    args = values (one.args);
    wanted = values (one.results);
    c = vr.compare (max (1, numel (wanted)), j.('function'), args{:});
    for i = 1:numel (wanted)
      why = vr.difference (c.results{i}, wanted{i});
      if (! isempty (why))
        c.outcome = 'wrong';
        c.reason = sprintf ('Octave now gives another result %d than when it was recorded: %s', i, why);
      end
    end
    counts.(strrep (c.outcome, ' ', '_')) += 1;
    if (! strcmp (c.outcome, 'right'))
      printf ("%s, case %d: %s: %s\n", stem, k, c.outcome, c.reason);
    end
  end
end
printf ("client: %d right, %d bailed out, %d in part, %d refused, %d wrong\n", counts.right, counts.bailed_out, counts.in_part, counts.refused, counts.wrong);
exit (counts.right == 0 || counts.bailed_out + counts.in_part + counts.refused + counts.wrong > 0);
