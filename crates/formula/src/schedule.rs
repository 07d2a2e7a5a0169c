//! The order of operations: equal codes in a row, so that a program decides once per run what to do.

use crate::hash::FastMap;
use crate::instruction::Code;
use crate::lower::Value;
use std::collections::VecDeque;

/// Operations move only within windows of this many, so that what is computed together stays together in memory.
const WINDOW: usize = 256;

/// Reorders `order` into runs of equal codes; everything still comes after what it needs.
pub(crate) fn group(values: &[Value], order: &[u32]) -> Vec<u32> {
    order.chunks(WINDOW).flat_map(|window| group_window(values, window)).collect()
}

fn group_window(values: &[Value], window: &[u32]) -> Vec<u32> {
    let place: FastMap<u32, usize> =
        window.iter().enumerate().map(|(k, &value)| (value, k)).collect();
    let mut waiting_for = vec![0usize; window.len()];
    let mut users: Vec<Vec<usize>> = vec![Vec::new(); window.len()];
    for (k, &value) in window.iter().enumerate() {
        if let Value::Operation(code, operands) = values[value as usize] {
            for operand in &operands[..code.operands()] {
                if let Some(&source) = place.get(operand) {
                    users[source].push(k);
                    waiting_for[k] += 1;
                }
            }
        }
    }

    let mut queues: Vec<(Code, VecDeque<usize>)> = Vec::new();
    let enqueue = |queues: &mut Vec<(Code, VecDeque<usize>)>, k: usize| {
        let Value::Operation(code, _) = values[window[k] as usize] else {
            return;
        };
        // sine and cosine of one argument become one instruction
        let code = if code == Code::Cos { Code::Sin } else { code };
        match queues.iter_mut().find(|queue| queue.0 == code) {
            Some(queue) => queue.1.push_back(k),
            None => queues.push((code, VecDeque::from([k]))),
        }
    };
    for k in (0..window.len()).filter(|&k| waiting_for[k] == 0) {
        enqueue(&mut queues, k);
    }

    let mut grouped = Vec::with_capacity(window.len());
    while let Some(longest) = (0..queues.len()).rev().max_by_key(|&q| queues[q].1.len()) {
        if queues[longest].1.is_empty() {
            break;
        }
        while let Some(k) = queues[longest].1.pop_front() {
            grouped.push(window[k]);
            for &user in &users[k] {
                waiting_for[user] -= 1;
                if waiting_for[user] == 0 {
                    enqueue(&mut queues, user);
                }
            }
        }
    }
    grouped
}
