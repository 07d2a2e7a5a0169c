//! Degrees of freedom: which components of which nodes are independent, and how the others depend
//! on them.

use crate::error::{MeshError, Place};
use crate::mesh::{Element, Mesh, TieKind};
use crate::tie::{COMPONENTS, conditions};
use std::collections::BTreeMap;

/// Coefficients below this part of the largest one are rounding.
const NEGLIGIBLE: f64 = 1e-13;

/// A linear condition: the sum of coefficient times component is zero.
pub(crate) struct Condition {
    pub(crate) terms: Vec<(usize, f64)>,
    /// The component that the condition is there to determine.
    pub(crate) dependent: usize,
    pub(crate) name: String,
    pub(crate) place: Place,
}

/// Numbering of all components of the nodes that are used, and their dependence on the free ones.
#[derive(Clone, Debug)]
pub struct Freedom {
    starts: Vec<Option<usize>>,
    rotates: Vec<bool>,
    owners: Vec<(usize, usize)>,
    rows: Vec<Vec<(usize, f64)>>,
    free: Vec<usize>,
}

/// A component that is expressed by others.
struct Dependence {
    component: usize,
    terms: Vec<(usize, f64)>,
    name: String,
}

impl Freedom {
    /// Numbers the components and solves supports and ties for dependent ones. The components of
    /// the `kept` nodes stay free; they must have rotations.
    pub fn new(mesh: &Mesh, kept: &[usize]) -> Result<Freedom, MeshError> {
        let mut freedom = Freedom::numbered(mesh);
        let mut protected = vec![false; freedom.owners.len()];
        for &node in kept {
            for i in 0..6 {
                let Some(component) = freedom.component(node, i) else {
                    let why = match freedom.starts[node] {
                        Some(_) => "has no rotations",
                        None => "belongs to no element",
                    };
                    let message = format!(
                        "node {} {why}, so that no frame can be attached to it",
                        mesh.nodes[node].label
                    );
                    let help = "make it the reference of an RBE2 or RBE3, or give a set of nodes";
                    return Err(mesh.fault(mesh.nodes[node].place, message, help));
                };
                protected[component] = true;
            }
        }
        let conditions = conditions(mesh, &freedom)?;
        let dependences = eliminate(mesh, &freedom, conditions, &protected)?;
        freedom.resolve(&dependences);
        Ok(freedom)
    }

    fn numbered(mesh: &Mesh) -> Freedom {
        let mut used = vec![false; mesh.nodes.len()];
        let mut rotates = vec![false; mesh.nodes.len()];
        for element in &mesh.elements {
            for &node in &element.nodes {
                used[node] = true;
                rotates[node] |= element.shape.rotates();
            }
        }
        if let Some(given) = &mesh.given {
            given.rows.iter().for_each(|(node, _)| used[*node] = true);
            rotates = given.rotates(mesh.nodes.len());
        }
        for tie in &mesh.ties {
            match &tie.kind {
                TieKind::Rigid { reference, .. } => {
                    used[*reference] = true;
                    rotates[*reference] = true;
                }
                TieKind::Mean { reference, components, .. } => {
                    used[*reference] = true;
                    rotates[*reference] |= components[3..].contains(&true);
                }
                TieKind::Sum { .. } => {}
            }
        }
        let mut starts = vec![None; mesh.nodes.len()];
        let mut owners = Vec::new();
        for node in 0..mesh.nodes.len() {
            if used[node] {
                starts[node] = Some(owners.len());
                let count = if rotates[node] { 6 } else { 3 };
                owners.extend((0..count).map(|i| (node, i)));
            }
        }
        Freedom { starts, rotates, owners, rows: Vec::new(), free: Vec::new() }
    }

    /// Number of the component `i` (translations 0 to 2, rotations 3 to 5) of a node; none if the
    /// node is not used or has no rotations.
    pub fn component(&self, node: usize, i: usize) -> Option<usize> {
        (i < 3 || self.rotates[node]).then_some(())?;
        Some(self.starts[node]? + i)
    }

    /// Number of all components, dependent ones included.
    pub fn components(&self) -> usize {
        self.owners.len()
    }

    /// Number of free components.
    pub fn count(&self) -> usize {
        self.free.len()
    }

    /// Node and component of a free component.
    pub fn owner(&self, free: usize) -> (usize, usize) {
        self.owners[self.free[free]]
    }

    /// Free component of a node's component, if it is one.
    pub fn free_of(&self, node: usize, i: usize) -> Option<usize> {
        let component = self.component(node, i)?;
        self.free.binary_search(&component).ok()
    }

    /// What a component is made of: free components and coefficients.
    pub fn row(&self, component: usize) -> &[(usize, f64)] {
        &self.rows[component]
    }

    /// Components of the nodes of an element, in the order of its matrices.
    pub(crate) fn of_element(&self, element: &Element) -> Vec<usize> {
        let count = if element.shape.rotates() { 6 } else { 3 };
        let of_node = |&node: &usize| {
            let start = self.starts[node].expect("nodes of elements are used");
            start..start + count
        };
        element.nodes.iter().flat_map(of_node).collect()
    }

    /// All components that belong to given free ones.
    pub fn expand(&self, free: &[f64]) -> Vec<f64> {
        let sum = |row: &Vec<(usize, f64)>| row.iter().map(|&(i, c)| c * free[i]).sum();
        self.rows.iter().map(sum).collect()
    }

    /// Forces on the free components that forces on all components are equal to.
    pub fn gather(&self, forces: &[f64]) -> Vec<f64> {
        let mut gathered = vec![0.0; self.count()];
        for (row, force) in self.rows.iter().zip(forces) {
            row.iter().for_each(|&(i, c)| gathered[i] += c * force);
        }
        gathered
    }

    /// A component in words: `node 12 along x`.
    pub(crate) fn words(&self, mesh: &Mesh, component: usize) -> String {
        let (node, i) = self.owners[component];
        format!("node {} {}", mesh.nodes[node].label, COMPONENTS[i])
    }

    /// A free component in words.
    pub(crate) fn free_words(&self, mesh: &Mesh, free: usize) -> String {
        self.words(mesh, self.free[free])
    }

    fn resolve(&mut self, dependences: &[Dependence]) {
        let mut dependent = vec![false; self.owners.len()];
        dependences.iter().for_each(|dependence| dependent[dependence.component] = true);
        self.free = (0..self.owners.len()).filter(|&i| !dependent[i]).collect();
        self.rows = vec![Vec::new(); self.owners.len()];
        for (index, &component) in self.free.iter().enumerate() {
            self.rows[component] = vec![(index, 1.0)];
        }
        // A dependence speaks of components that are free or became dependent after it.
        for dependence in dependences.iter().rev() {
            let mut row = BTreeMap::new();
            for &(component, coefficient) in &dependence.terms {
                for &(free, c) in &self.rows[component] {
                    *row.entry(free).or_insert(0.0) += c * coefficient;
                }
            }
            self.rows[dependence.component] = row.into_iter().collect();
        }
    }
}

/// Solves each condition for one component that no earlier condition has determined.
fn eliminate(
    mesh: &Mesh,
    freedom: &Freedom,
    conditions: Vec<Condition>,
    protected: &[bool],
) -> Result<Vec<Dependence>, MeshError> {
    let mut determined: Vec<Option<usize>> = vec![None; freedom.components()];
    let mut dependences: Vec<Dependence> = Vec::new();
    for condition in conditions {
        let wanted = condition.dependent;
        if let Some(earlier) = determined[wanted] {
            let message = format!(
                "{} asks for {}, which {} determines already",
                condition.name,
                freedom.words(mesh, wanted),
                dependences[earlier].name
            );
            let help = "a component can depend once: remove it from one of the two";
            return Err(mesh.fault(condition.place, message, help));
        }
        let largest = condition.terms.iter().fold(0.0_f64, |size, (_, c)| size.max(c.abs()));
        let mut open = condition.terms;
        let mut sum: BTreeMap<usize, f64> = BTreeMap::new();
        while let Some((component, coefficient)) = open.pop() {
            match determined[component] {
                Some(k) => {
                    let terms = &dependences[k].terms;
                    open.extend(terms.iter().map(|(other, c)| (*other, c * coefficient)));
                }
                None => *sum.entry(component).or_insert(0.0) += coefficient,
            }
        }
        sum.retain(|_, c| c.abs() > NEGLIGIBLE * largest);
        let pivot = match sum.get(&wanted) {
            Some(_) if !protected[wanted] => Some(wanted),
            _ => sum
                .iter()
                .filter(|(component, _)| !protected[**component])
                .max_by(|a, b| a.1.abs().total_cmp(&b.1.abs()))
                .map(|(component, _)| *component),
        };
        let Some(pivot) = pivot else {
            let message = format!(
                "{} holds {}, which is part of an interface or held already",
                condition.name,
                freedom.words(mesh, wanted)
            );
            let help = "interfaces must stay free to move: remove the support or the tie";
            return Err(mesh.fault(condition.place, message, help));
        };
        let scale = -1.0 / sum[&pivot];
        sum.remove(&pivot);
        let terms = sum.into_iter().map(|(component, c)| (component, c * scale)).collect();
        determined[pivot] = Some(dependences.len());
        dependences.push(Dependence { component: pivot, terms, name: condition.name });
    }
    Ok(dependences)
}
