//! PID controllers with filtered derivative, limits and anti-windup.
//!
//! ```text
//! e = setpoint − input
//! v = P e + J + D (e − z)/T              unlimited command
//! u = clamp(v, low, high)                command
//! J̇ = I e + (u − v)/T_t                  integral part; the second term unwinds it [back-calculation]
//! ż = (e − z)/T                          filtered error
//! ```

use super::declare::finite;
use super::signals::VariableId;
use crate::error::{ModelError, refusal};
use crate::model::Model;

/// Gains and times of a PID controller.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Pid {
    /// Gain of the error.
    pub proportional: f64,
    /// Gain of its integral.
    pub integral: f64,
    /// Gain of its filtered derivative.
    pub derivative: f64,
    /// Time constant of the filter of the derivative; positive if there is a derivative gain.
    pub filter_time: f64,
    /// Lowest and highest command.
    pub limits: Option<[f64; 2]>,
    /// How fast the integral part gives way while the command is limited; by default
    /// `proportional / integral`.
    pub tracking_time: Option<f64>,
}

impl Pid {
    /// The tracking time, or what is wrong with the numbers.
    fn validate(&self, name: &str) -> Result<f64, ModelError> {
        let thing = || format!("controller `{name}`");
        for (what, value) in [
            ("the proportional gain", self.proportional),
            ("the integral gain", self.integral),
            ("the derivative gain", self.derivative),
            ("the filter time", self.filter_time),
        ] {
            finite("controller", name, what, value)?;
        }
        if self.derivative != 0.0 && self.filter_time <= 0.0 {
            return Err(ModelError::invalid(
                thing(),
                refusal!(
                    "a derivative gain needs a positive filter time";
                    "a tenth of the fastest time constant of the plant is usual"
                ),
            ));
        }
        if let Some([low, high]) = self.limits
            && !(low.is_finite() && high.is_finite() && low < high)
        {
            let what = format!("limits must be finite and increase, not {low} and {high}");
            return Err(ModelError::invalid(thing(), what));
        }
        let tracking = self.tracking_time.unwrap_or(self.proportional / self.integral);
        let winding = self.limits.is_some() && self.integral != 0.0;
        if winding && !(tracking.is_finite() && tracking > 0.0) {
            return Err(ModelError::invalid(
                thing(),
                "limits together with an integral gain need a positive tracking time",
            ));
        }
        Ok(tracking)
    }
}

impl Model {
    /// A PID controller that drives `input` to `setpoint` (both formulas): the variable `name` is its
    /// command. `name.error` and, with limits, `name.unlimited` are variables; `name.integral` and
    /// `name.filtered` states that start at zero, so that a jump of the setpoint kicks the
    /// derivative part.
    pub fn pid(
        &mut self,
        name: &str,
        input: &str,
        setpoint: &str,
        pid: &Pid,
    ) -> Result<VariableId, ModelError> {
        let tracking = pid.validate(name)?;
        self.variable(&format!("{name}.error"), &format!("({setpoint}) - ({input})"))?;
        let mut command = format!("({:?})*{name}.error", pid.proportional);
        let winds = pid.integral != 0.0;
        if winds {
            let unwind = match pid.limits {
                Some(_) => format!(" + ({name} - {name}.unlimited)/({tracking:?})"),
                None => String::new(),
            };
            let rate = format!("({:?})*{name}.error{unwind}", pid.integral);
            self.state(&format!("{name}.integral"), 0.0, &rate)?;
            command += &format!(" + {name}.integral");
        }
        if pid.derivative != 0.0 {
            let rate = format!("({name}.error - {name}.filtered)/({:?})", pid.filter_time);
            self.state(&format!("{name}.filtered"), 0.0, &rate)?;
            command += &format!(" + ({:?})*({rate})", pid.derivative);
        }
        match pid.limits {
            Some([low, high]) => {
                let unlimited = format!("{name}.unlimited");
                self.variable(&unlimited, &command)?;
                self.variable(name, &format!("clamp({unlimited}, {low:?}, {high:?})"))
            }
            None => self.variable(name, &command),
        }
    }
}
