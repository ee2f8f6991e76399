//! What a server may ask of us.

#![expect(deprecated, reason = "servers of versions before 2026-07-28 ask for samples in no other way")]

use rmcp::model::{
    ClientCapabilities, ClientConfig, CreateMessageRequestMethod, CreateMessageRequestParams, CreateMessageResult,
    ElicitRequestParams, ElicitResult, ElicitationAction, ElicitationCapability, ErrorData, FormElicitationCapability,
    Implementation, ProtocolVersion, SamplingCapability, UrlElicitationCapability,
};
use rmcp::service::RequestContext;
use rmcp::{ClientHandler, RoleClient};

use super::elicitation::{Elicitation, ElicitationHandler};
use super::sampling::{self, SamplingHandler};
use super::settings::Settings;
use crate::error::BoxError;
use crate::panics::catch_future;

/// What a server may ask of us: nothing that the application has no handler for.
#[derive(Clone)]
pub(super) struct Client {
    elicitation: Option<ElicitationHandler>,
    sampling: Option<SamplingHandler>,
}

impl Client {
    pub(super) fn new(settings: &Settings) -> Self {
        Self { elicitation: settings.elicitation.clone(), sampling: settings.sampling.clone() }
    }

    /// What the user says to what a server asks for; no, where there is nobody to ask.
    pub(super) async fn elicit(&self, params: ElicitRequestParams) -> Result<ElicitResult, ErrorData> {
        let Some(handler) = &self.elicitation else {
            return Ok(ElicitResult::new(ElicitationAction::Decline));
        };
        let asked = Elicitation::of(params).map_err(|error| ErrorData::invalid_params(error.to_string(), None))?;
        let form = asked.asks_for.clone();
        let answer = catch_future(async { handler(asked).await }).await.and_then(|answer| answer);
        answer.map(|answer| answer.into_result(&form)).map_err(internal)
    }

    /// What a model says to what a server asks it.
    pub(super) async fn sample(&self, params: CreateMessageRequestParams) -> Result<CreateMessageResult, ErrorData> {
        let Some(handler) = &self.sampling else {
            return Err(ErrorData::method_not_found::<CreateMessageRequestMethod>());
        };
        let input = sampling::question(params).map_err(|error| ErrorData::invalid_params(error.to_string(), None))?;
        let response = catch_future(async { handler(input).await }).await.and_then(|response| response);
        response.map(|response| sampling::answer(&response)).map_err(internal)
    }
}

/// A failure of the application's, in no words of its own: they are not for the server.
fn internal(_: BoxError) -> ErrorData {
    ErrorData::internal_error("the client has failed to answer", None)
}

impl ClientHandler for Client {
    async fn create_message(
        &self,
        params: CreateMessageRequestParams,
        context: RequestContext<RoleClient>,
    ) -> Result<CreateMessageResult, ErrorData> {
        unless_withdrawn(context, self.sample(params)).await
    }

    async fn create_elicitation(
        &self,
        params: ElicitRequestParams,
        context: RequestContext<RoleClient>,
    ) -> Result<ElicitResult, ErrorData> {
        unless_withdrawn(context, self.elicit(params)).await
    }

    fn get_info(&self) -> ClientConfig {
        let mut capabilities = ClientCapabilities::default();
        if self.elicitation.is_some() {
            let form = FormElicitationCapability::new().with_schema_validation(false);
            let elicitation = ElicitationCapability::new().with_form(form).with_url(UrlElicitationCapability::new());
            capabilities.elicitation = Some(elicitation);
        }
        if self.sampling.is_some() {
            capabilities.sampling = Some(SamplingCapability::default());
        }
        let client = Implementation::new("toolwright", env!("CARGO_PKG_VERSION"));
        ClientConfig::new(capabilities, client).with_protocol_version(ProtocolVersion::LATEST_WITH_INITIALIZE)
    }
}

/// What `answering` comes to, unless the server does not want to know any more, or is gone.
async fn unless_withdrawn<T>(
    context: RequestContext<RoleClient>,
    answering: impl Future<Output = Result<T, ErrorData>>,
) -> Result<T, ErrorData> {
    tokio::select! {
        answer = answering => answer,
        () = context.ct.cancelled() => Err(ErrorData::internal_error("the request was withdrawn", None)),
    }
}
