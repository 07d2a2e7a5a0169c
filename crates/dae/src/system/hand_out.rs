//! Systems that have a facet hand it out.

/// The methods of a [`System`](crate::System) that hand out facets which the type itself has, by their names:
/// `rotula_dae::hand_out!(Description, Energetics);` within `impl System`.
#[macro_export]
macro_rules! hand_out {
    ($($facet:ident),+ $(,)?) => { $($crate::hand_out!(@$facet);)+ };
    (@Description) => { $crate::hand_out!(@as_description &self, Description); };
    (@Manifold) => { $crate::hand_out!(@as_manifold &self, Manifold); };
    (@Explanation) => { $crate::hand_out!(@as_explanation &mut self, Explanation); };
    (@Contacts) => {
        $crate::hand_out!(@as_contacts &self, Contacts);
        $crate::hand_out!(@as_contacts_mut &mut self, Contacts);
    };
    (@Energetics) => { $crate::hand_out!(@as_energetics &mut self, Energetics); };
    (@RigidMotion) => { $crate::hand_out!(@as_rigid_motion &self, RigidMotion); };
    (@History) => { $crate::hand_out!(@as_history &mut self, History); };
    (@Switching) => { $crate::hand_out!(@as_switching &self, Switching); };
    (@Events) => { $crate::hand_out!(@as_events &mut self, Events); };
    (@AuxiliaryRows) => { $crate::hand_out!(@as_auxiliary_rows &mut self, AuxiliaryRows); };
    (@Reducible) => { $crate::hand_out!(@as_reducible &self, Reducible); };
    (@Reduced) => { $crate::hand_out!(@as_reduced &mut self, Reduced); };
    (@ForwardDynamics) => { $crate::hand_out!(@as_forward_dynamics &mut self, ForwardDynamics); };
    (@Inputs) => { $crate::hand_out!(@inputs &mut self, Inputs); };
    (@$method:ident &$self:ident, $facet:ident) => {
        fn $method(&$self) -> Option<&dyn $crate::$facet> {
            Some($self)
        }
    };
    (@$method:ident &mut $self:ident, $facet:ident) => {
        fn $method(&mut $self) -> Option<&mut dyn $crate::$facet> {
            Some($self)
        }
    };
}
