//! What `--help` shows below the options: examples, and what the exit status means.

pub(crate) const PROGRAM: &str = "\
Examples:
  rotula new engine --template slider-crank
  rotula run engine/engine.toml
  rotula run engine/engine.toml --set parameters.w=20 --set solve.formulation=index3 -o fast
  rotula check engine/engine.toml
  rotula gallery list

`rotula COMMAND --help` shows what a command can do, with examples.

Exit status: 0 done; 1 the simulation failed, with a diagnosis; 2 bad input.";

pub(crate) const RUN: &str = "\
Examples:
  rotula run pendulum.toml
  rotula run pendulum.toml -o results/long --set parameters.L=2
  rotula run pendulum.toml --set solve.step=1e-3 --set solve.coefficients.generalized-alpha=0.9
  rotula run pendulum.toml --format npz --quiet
  rotula run examples/models/walker.toml --export glb,png
  rotula run pendulum.toml --checkpoint every=5min
  rotula run pendulum.toml --verify
  rotula run pendulum.toml --live
  rotula run pendulum.toml --max-time 8h --max-memory 4GB

--verify runs the model again with a tenth of the tolerance, or half the step, and says how far the two
differ and what digits hold: worst positions and forces here, every column in summary.json, verify.csv
and the report.
--live puts the engine into the report: change the text or move a slider, and the browser runs the model.
Ctrl-C stops the run and keeps what was computed; so do SIGTERM, SIGHUP and the limits. With --checkpoint
a run that was stopped, killed or cut off goes on with `rotula resume DIR`, to the same last bit.
Exit status: 0 done; 1 the simulation failed or was stopped (results until then are
written, with a diagnosis); 2 bad input (nothing is written).";

pub(crate) const RESUME: &str = "\
Examples:
  rotula run examples/models/loop.toml --checkpoint every=10s
  rotula resume results/loop

The run goes on from its last checkpoint and gives the same numbers as if it had never stopped. It is
refused if the model file, or a file that it names, has changed.
Exit status: 0 done; 1 the simulation failed or was stopped; 2 there is nothing to go on with.";

pub(crate) const CHECK: &str = "\
Examples:
  rotula check pendulum.toml
  rotula check pendulum.toml --set solve.formulation=hht-i3

Exit status: 0 the model can be run; 2 it cannot, and why.";

pub(crate) const COMPARE: &str = "\
Examples:
  rotula compare results/engine results/engine-stiff                 curves of both in compare.html
  rotula compare results/engine other/report.html -o both.html       a report, another page

Exit status: 0 done; 2 bad input.";

pub(crate) const PLAYGROUND: &str = "\
Examples:
  rotula playground pendulum.toml                          playground.html: change the model, run it, see it
  rotula playground examples/models/*.toml -o all.html     many models, one of which is open at a time

The page holds the engine and the models with the files that they name. It needs nothing but a browser.
`rotula run MODEL --live` makes the same of a report.
Exit status: 0 done; 2 bad input.";

pub(crate) const DRAW: &str = "\
Examples:
  rotula draw examples/models/stewart.toml -o stewart.svg
  rotula draw examples/models/walker.toml -o walker.svg --time 2

Exit status: 0 done; 2 bad input.";

pub(crate) const REDUCE: &str = "\
Examples:
  rotula reduce frame.inp -o frame.flex --interface hub=HUB --interface tip=TIP --modes 20
  rotula reduce rod.bdf -o rod.flex --interface a=101 --interface b=102 --below 2000
  rotula reduce plate.msh -o plate.flex --material 7.1e10,0.33,2700 --mean-interface edge=Edge
  rotula reduce part.inp -o part.flex --units mm --method free --modes 12 --vtk shapes.pvd
  rotula reduce K.mtx --mass M.mtx --nodes nodes.csv -o part.flex --interface a=LEFT --interface b=7

An interface is a frame to which joints and forces are attached: a node with rotations, or the middle
of a set of nodes. The file .flex holds the shapes, their integrals over the mass and their stresses.
Exit status: 0 done; 2 bad input (nothing is written).";

pub(crate) const SWEEP: &str = "\
Examples:
  rotula sweep pendulum.toml --over parameters.L=1:2:11
  rotula sweep pendulum.toml --over parameters.L=0.5,1,2 --over solve.formulation=ggl,index3
  rotula sweep pendulum.toml --over parameters.L=1:2 --over parameters.m=0.1:10:log --latin 100
  rotula sweep pendulum.toml --cases runs.csv --read angle

VALUES are a:b:n (n numbers from a to b), a:b:n:log (with equal ratios), a,b,c (a list), or a:b (a
range, with --latin; a:b:log likewise). Several --over make a grid. A run that fails is a row like any other. The same
command goes on where it was stopped.
Exit status: 0 done; 1 stopped before the end; 2 bad input.";

pub(crate) const GALLERY: &str = "\
Examples:
  rotula gallery list
  rotula gallery run pendulum-order
  rotula gallery run --all --json gallery.json --pages pages";

pub(crate) const ASSEMBLE: &str = "\
Examples:
  rotula assemble examples/models/four_bar.toml
  rotula assemble rough.toml --json assembled.json

Exit status: 0 assembled; 1 the joints cannot be closed, and which; 2 bad input.";

pub(crate) const STATICS: &str = "\
Examples:
  rotula statics examples/models/pendulum.toml
  rotula statics quarter_car.toml --set parameters.m=300 --json equilibrium.json
  rotula statics examples/models/snap_through.toml --path
  rotula statics crane.toml --at 2.5

Prints how far bodies moved and turned, sensors, forces and reactions; writes equilibrium.json, equilibrium.csv
(the columns of a run) and displacements.csv.

Exit status: 0 found; 1 there is none near the start; 2 bad input.";

pub(crate) const CAMPBELL: &str = "\
Examples:
  rotula campbell examples/models/rotor_blade.toml --over parameters.speed=0:40:21
  rotula campbell pendulum.toml --over parameters.L=0.5:2:7 --modes 1

For each value the steady turn near the start is found, deformed by what it takes, and the frequencies
about it, as seen by who turns with it.
Exit status: 0 done; 1 an analysis failed, and why; 2 bad input.";

pub(crate) const FLOQUET: &str = "\
Examples:
  rotula floquet shaken_pendulum.toml --period 0.1
  rotula floquet rotor.toml --json multipliers.json

The motion near the start that repeats after the period is found, and the factors by which small
disturbances of it grow in a period: for rotors on elastic supports, which have no steady turn.
Exit status: 0 done; 1 no motion repeats, and why; 2 bad input.";

pub(crate) const MODES: &str = "\
Examples:
  rotula modes examples/models/quarter_car.toml
  rotula modes examples/models/governor.toml --about start --json modes.json
  rotula modes examples/models/turning_blade.toml --about turn --count 6

Of a mechanism it writes modes.html, on which it swings in each mode.

Exit status: 0 done; 1 there is no equilibrium near the start; 2 bad input.";

pub(crate) const KINEMATICS: &str = "\
Examples:
  rotula kinematics examples/models/driven_four_bar.toml
  rotula kinematics crane.toml -o results/crane --format both

Exit status: 0 done; 1 a position cannot be reached; 2 bad input, or the mechanism still has freedom.";

pub(crate) const SCHEMA: &str = "\
Examples:
  rotula schema > rotula.schema.json
  rotula schema mechanism

An editor that knows JSON Schema for TOML completes keys and shows their meaning.";

pub(crate) const GALLERY_LIST: &str = "\
Example:
  rotula gallery list";

pub(crate) const GALLERY_RUN: &str = "\
Examples:
  rotula gallery run pendulum-order
  rotula gallery run --all --json gallery.json --pages pages

Exit status: 0 every check holds; 1 one does not; 2 bad input.";

pub(crate) const WORK_PRECISION: &str = "\
Example:
  rotula gallery work-precision -o results/work-precision";

pub(crate) const NEW: &str = "\
Examples:
  rotula new crane
  rotula new engine --template slider-crank
  rotula new arm --template robot

makes a folder with a model that runs; change it step by step.
Exit status: 0 done; 2 the folder exists.";

pub(crate) const DOCTOR: &str = "\
Example:
  rotula doctor

Exit status: 0 the program can work here; 1 something that it needs is missing.";

pub(crate) const COMPLETIONS: &str = "\
Examples:
  rotula completions bash > ~/.local/share/bash-completion/completions/rotula
  rotula completions zsh > ~/.zfunc/_rotula          (with ~/.zfunc in fpath)
  rotula completions fish > ~/.config/fish/completions/rotula.fish
  rotula completions powershell >> $PROFILE";

pub(crate) const PICTURES: &str = "\
Examples:
  rotula gallery pictures -o pictures";
