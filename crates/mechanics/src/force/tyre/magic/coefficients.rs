//! The coefficients of the Magic Formula, by the names they have in tyre property files.

macro_rules! coefficients {
    ($($default:literal: $($name:ident)+;)+) => {
        /// Numbers of a tyre property file. Those that a file leaves out have no effect: scaling factors are one, the
        /// others zero.
        #[allow(missing_docs)] // the names are those of the files, explained in their comments
        #[derive(Clone, Debug, PartialEq)]
        pub struct Coefficients {
            $($(pub $name: f64,)+)+
        }

        impl Default for Coefficients {
            fn default() -> Self {
                Coefficients { $($($name: $default,)+)+ }
            }
        }

        impl Coefficients {
            /// The coefficient of a name in small letters.
            pub fn named(&mut self, name: &str) -> Option<&mut f64> {
                match name {
                    $($(stringify!($name) => Some(&mut self.$name),)+)+
                    _ => None,
                }
            }
        }
    };
}

coefficients! {
    0.0: unloaded_radius vertical_stiffness vertical_damping fnomin vxlow longvl;
    0.0: breff dreff freff inflpres nompres;
    0.0: longitudinal_stiffness lateral_stiffness;
    1.0: q_re0;
    0.0: q_v1 q_fz2 pfz1;
    1.0: lfzo lcx lmux lex lkx lhx lvx lcy lmuy ley lky lhy lvy ltr lres lxal lyka lvyka ls lkyc lkzc;
    1.0: lsgkp lsgal lmx lvmx lmy lgax lgay lgaz;
    0.0: pcx1 pdx1 pdx2 pdx3 pex1 pex2 pex3 pex4 pkx1 pkx2 pkx3 phx1 phx2 pvx1 pvx2;
    0.0: ppx1 ppx2 ppx3 ppx4;
    0.0: rbx1 rbx2 rbx3 rcx1 rex1 rex2 rhx1;
    0.0: ptx1 ptx2 ptx3;
    0.0: pcy1 pdy1 pdy2 pdy3 pey1 pey2 pey3 pey4 pey5;
    0.0: pky1 pky2 pky3;
    2.0: pky4;
    0.0: pky5 pky6 pky7 phy1 phy2 phy3 pvy1 pvy2 pvy3 pvy4;
    0.0: ppy1 ppy2 ppy3 ppy4 ppy5;
    0.0: rby1 rby2 rby3 rby4 rcy1 rey1 rey2 rhy1 rhy2 rvy1 rvy2 rvy3 rvy4 rvy5 rvy6;
    0.0: pty1 pty2;
    0.0: qsx1 qsx2 qsx3 qsx4 qsx5 qsx6 qsx7 qsx8 qsx9 qsx10 qsx11 ppmx1;
    0.0: qsy1 qsy2 qsy3 qsy4 qsy5 qsy6;
    1.0: qsy7;
    0.0: qsy8;
    0.0: qbz1 qbz2 qbz3 qbz4 qbz5 qbz6 qbz9 qbz10 qcz1 qdz1 qdz2 qdz3 qdz4 qdz6 qdz7 qdz8 qdz9 qdz10 qdz11;
    0.0: qez1 qez2 qez3 qez4 qez5 qhz1 qhz2 qhz3 qhz4 ppz1 ppz2 ssz1 ssz2 ssz3 ssz4;
}
