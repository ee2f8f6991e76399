//! The reports of a run's steps: kept for its result, and told to whoever listens.

use super::state::RunState;
use crate::event::Event;
use crate::report::StepReport;

impl<D: Send + Sync + 'static, O: Send + 'static> RunState<D, O> {
    /// Keeps the report of the step. A step whose first calls were resumed may have had one before they brought it tools.
    pub(super) fn keep_report(&mut self, report: StepReport) {
        if self.reports.last().is_some_and(|before| before.step == report.step) {
            self.reports.pop();
        }
        self.reports_told = self.reports_told.min(self.reports.len());
        self.reports.push(report);
    }

    /// Tells of the step's tools, now that it is known which of them are chosen.
    pub(super) fn report_step(&mut self) {
        let Some(report) = self.reports.last_mut() else { return };
        report.tool_choice.clone_from(&self.settings.tool_choice);
        if self.reports.len() > self.reports_told {
            self.reports_told = self.reports.len();
            if self.is_heard() {
                self.emit(Event::StepReport(self.reports[self.reports_told - 1].clone()));
            }
        }
    }
}
