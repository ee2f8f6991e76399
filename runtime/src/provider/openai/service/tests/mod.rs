//! Where each service is asked, with what key, and what is known of its models.

mod models;
mod tokens;

use super::*;
use crate::error::{Error, ErrorKind};
use crate::http::ApiKey;

/// A connection with what the environment says, and where a model is asked on it.
fn connect(
    service: Service,
    asked: &Addressee<'_>,
    builder: ConnectionBuilder,
    environment: &[(&str, &str)],
) -> Result<(Connection, Url)> {
    let said =
        |variable: &str| environment.iter().find(|(name, _)| *name == variable).map(|(_, value)| (*value).to_owned());
    service.row().connect(builder, asked, &said)
}

fn chat(model: &str) -> Addressee<'_> {
    Addressee { api: Spoken::Chat, model, version: None }
}

fn header(connection: &Connection, name: &str) -> Option<String> {
    let value = connection.headers().get(name)?;
    Some(value.to_str().expect("plain characters").to_owned())
}

fn misuse(connected: Result<(Connection, Url)>) -> Error {
    let Err(error) = connected else { unreachable!("it was to be refused") };
    assert_eq!(error.kind(), ErrorKind::Misuse);
    error
}

#[test]
fn each_service_has_a_place_and_a_key_of_its_own() {
    let bearer = "authorization";
    for (service, environment, url, key) in [
        (Service::OpenAi, vec![("OPENAI_API_KEY", "k")], "https://api.openai.com/v1/chat/completions", bearer),
        (Service::Cerebras, vec![("CEREBRAS_API_KEY", "k")], "https://api.cerebras.ai/v1/chat/completions", bearer),
        (
            Service::Crusoe,
            vec![("CRUSOE_API_KEY", "k")],
            "https://api.inference.crusoecloud.com/v1/chat/completions",
            bearer,
        ),
        (Service::DeepSeek, vec![("DEEPSEEK_API_KEY", "k")], "https://api.deepseek.com/chat/completions", bearer),
        (
            Service::Fireworks,
            vec![("FIREWORKS_API_KEY", "k")],
            "https://api.fireworks.ai/inference/v1/chat/completions",
            bearer,
        ),
        (
            Service::GitHubCopilot,
            vec![("COPILOT_GITHUB_TOKEN", "k"), ("GITHUB_TOKEN", "not this")],
            "https://api.githubcopilot.com/chat/completions",
            bearer,
        ),
        (Service::Ollama, vec![("OLLAMA_API_KEY", "k")], "http://localhost:11434/v1/chat/completions", bearer),
        (
            Service::OpenRouter,
            vec![("OPENROUTER_API_KEY", "k")],
            "https://openrouter.ai/api/v1/chat/completions",
            bearer,
        ),
        (
            Service::Snowflake,
            vec![("SNOWFLAKE_TOKEN", "k"), ("SNOWFLAKE_ACCOUNT", "my-org")],
            "https://my-org.snowflakecomputing.com/api/v2/cortex/v1/chat/completions",
            bearer,
        ),
        (Service::Together, vec![("TOGETHER_API_KEY", "k")], "https://api.together.xyz/v1/chat/completions", bearer),
        (Service::Vllm, vec![("VLLM_API_KEY", "k")], "http://localhost:8000/v1/chat/completions", bearer),
        (Service::Zai, vec![("ZAI_API_KEY", "k")], "https://api.z.ai/api/paas/v4/chat/completions", bearer),
        (
            Service::Azure,
            vec![("AZURE_OPENAI_API_KEY", "k"), ("AZURE_OPENAI_ENDPOINT", "https://r.openai.azure.com/")],
            "https://r.openai.azure.com/openai/v1/chat/completions",
            "api-key",
        ),
    ] {
        let (connection, endpoint) =
            connect(service, &chat("m"), ConnectionBuilder::default(), &environment).expect("a connection");
        assert_eq!((endpoint.as_str(), connection.system), (url, service.name()));
        let shown = if key == bearer { "Bearer k" } else { "k" };
        assert_eq!(header(&connection, key).as_deref(), Some(shown), "{service:?}");
        let unless_needed = matches!(service, Service::Ollama | Service::Vllm);
        let place: Vec<_> = environment.iter().copied().filter(|(_, value)| *value != "k").collect();
        match connect(service, &chat("m"), ConnectionBuilder::default(), &place) {
            Ok((connection, _)) => assert!(unless_needed && header(&connection, bearer).is_none(), "{service:?}"),
            Err(error) => {
                assert!(
                    !unless_needed && error.to_string().contains(environment[0].0) || service == Service::GitHubCopilot,
                    "{error}"
                );
            }
        }
    }
}

#[test]
fn other_urls_are_taken_from_variables_or_the_builder() {
    let key = ("TOGETHER_API_KEY", "k");
    let environment = [key, ("TOGETHER_BASE_URL", "http://localhost:1/together/v1/")];
    let at = |builder| connect(Service::Together, &chat("m"), builder, &environment).expect("a connection").1;
    assert_eq!(at(ConnectionBuilder::default()).as_str(), "http://localhost:1/together/v1/chat/completions");
    let builder = ConnectionBuilder { base_url: Some("http://localhost:2".to_owned()), ..ConnectionBuilder::default() };
    assert_eq!(at(builder).as_str(), "http://localhost:2/chat/completions");
    let error = misuse(connect(
        Service::Together,
        &chat("m"),
        ConnectionBuilder::default(),
        &[key, ("TOGETHER_BASE_URL", "x")],
    ));
    assert!(error.to_string().contains("TOGETHER_BASE_URL"), "{error}");
}

#[test]
fn azure_is_asked_in_three_ways() {
    let key = ApiKey::new("k");
    let endpoint = |url: &str, asked: &Addressee<'_>| {
        let builder = ConnectionBuilder {
            key: Some(key.clone()),
            base_url: Some(url.to_owned()),
            ..ConnectionBuilder::default()
        };
        connect(Service::Azure, asked, builder, &[])
    };
    let resource = "https://r.openai.azure.com";
    let asked = |api, version| Addressee { api, model: "my deployment", version };
    for (url, asked, expected) in [
        (resource, asked(Spoken::Chat, None), "https://r.openai.azure.com/openai/v1/chat/completions"),
        (resource, asked(Spoken::Responses, None), "https://r.openai.azure.com/openai/v1/responses"),
        (
            resource,
            asked(Spoken::Chat, Some("2024-10-21")),
            "https://r.openai.azure.com/openai/deployments/my%20deployment/chat/completions?api-version=2024-10-21",
        ),
        (
            resource,
            asked(Spoken::Responses, Some("2025-03-01-preview")),
            "https://r.openai.azure.com/openai/responses?api-version=2025-03-01-preview",
        ),
        (
            "https://r.services.ai.azure.com/openai/v1/",
            asked(Spoken::Chat, None),
            "https://r.services.ai.azure.com/openai/v1/chat/completions",
        ),
        (
            "https://m.eastus.models.ai.azure.com",
            asked(Spoken::Chat, None),
            "https://m.eastus.models.ai.azure.com/v1/chat/completions",
        ),
    ] {
        let (connection, endpoint) = endpoint(url, &asked).expect("a connection");
        assert_eq!(endpoint.as_str(), expected);
        let (own, bearer) = (header(&connection, "api-key"), header(&connection, "authorization"));
        assert_eq!(
            (own.is_some(), bearer.is_some()),
            if url.contains("models.ai") { (false, true) } else { (true, false) }
        );
    }
    for (url, version) in [("https://r.openai.azure.com/openai/v1", "2024-10-21"), (resource, " ")] {
        assert!(misuse(endpoint(url, &asked(Spoken::Chat, Some(version)))).to_string().contains("api_version"));
    }
    let error =
        misuse(connect(Service::Azure, &chat("m"), ConnectionBuilder::default(), &[("AZURE_OPENAI_API_KEY", "k")]));
    assert!(error.to_string().contains("AZURE_OPENAI_ENDPOINT"), "{error}");
    let versioned = asked(Spoken::Chat, Some("2024-10-21"));
    let error =
        misuse(connect(Service::Together, &versioned, ConnectionBuilder::default(), &[("TOGETHER_API_KEY", "k")]));
    assert!(error.to_string().contains("api_version"), "{error}");
}

#[test]
fn mantle_speaks_either_api_but_never_both() {
    let environment = [("AWS_BEARER_TOKEN_BEDROCK", "k"), ("AWS_DEFAULT_REGION", "us-west-2")];
    let at = |api, model| {
        connect(
            Service::BedrockMantle,
            &Addressee { api, model, version: None },
            ConnectionBuilder::default(),
            &environment,
        )
    };
    for (api, model, url) in [
        (Spoken::Responses, "openai.gpt-5.6-luna", "https://bedrock-mantle.us-west-2.api.aws/openai/v1/responses"),
        (Spoken::Responses, "openai.gpt-oss-120b", "https://bedrock-mantle.us-west-2.api.aws/v1/responses"),
        (Spoken::Chat, "openai.gpt-oss-safeguard-20b", "https://bedrock-mantle.us-west-2.api.aws/v1/chat/completions"),
    ] {
        assert_eq!(at(api, model).expect("a connection").1.as_str(), url);
        let other = if api == Spoken::Chat { Spoken::Responses } else { Spoken::Chat };
        assert!(misuse(at(other, model)).to_string().contains("OpenAi"));
    }
    for region in ["", "us west", "evil.example/x"] {
        let environment = [("AWS_BEARER_TOKEN_BEDROCK", "k"), ("AWS_REGION", region)];
        let error = misuse(connect(Service::BedrockMantle, &chat("m"), ConnectionBuilder::default(), &environment));
        assert!(error.to_string().contains("AWS_REGION"), "{error}");
    }
}

#[test]
fn a_snowflake_account_is_a_name_and_nothing_else() {
    let at = |account| {
        let environment = [("SNOWFLAKE_TOKEN", "k"), ("SNOWFLAKE_ACCOUNT", account)];
        connect(Service::Snowflake, &chat("m"), ConnectionBuilder::default(), &environment)
    };
    for account in ["org-a", "https://org-a.snowflakecomputing.com/", "org-a.snowflakecomputing.com"] {
        assert_eq!(at(account).expect("a connection").1.host_str(), Some("org-a.snowflakecomputing.com"));
    }
    for account in ["", "evil.example/x", "a@b", "a:1"] {
        assert!(misuse(at(account)).to_string().contains("SNOWFLAKE_ACCOUNT"));
    }
}

#[test]
fn headers_say_who_asks() {
    let environment = [("GITHUB_COPILOT_API_KEY", "k"), ("GITHUB_COPILOT_INTEGRATION_ID", "mine")];
    let (connection, _) =
        connect(Service::GitHubCopilot, &chat("m"), ConnectionBuilder::default(), &environment).expect("a connection");
    assert_eq!(header(&connection, "copilot-integration-id").as_deref(), Some("mine"));
    assert!(header(&connection, "editor-version").is_some_and(|editor| editor.starts_with("toolwright/")));
    let environment = [("OPENROUTER_API_KEY", "k"), ("OPENROUTER_APP_TITLE", "My app")];
    let (connection, _) =
        connect(Service::OpenRouter, &chat("a/m"), ConnectionBuilder::default(), &environment).expect("a connection");
    assert_eq!(header(&connection, "x-title").as_deref(), Some("My app"));
    assert_eq!(header(&connection, "http-referer"), None);
    let environment = [("OPENROUTER_API_KEY", "k"), ("OPENROUTER_APP_TITLE", "line\nbreak")];
    misuse(connect(Service::OpenRouter, &chat("a/m"), ConnectionBuilder::default(), &environment));
}

#[test]
fn names_differ_and_are_those_of_rows() {
    for (index, service) in Service::ALL.iter().enumerate() {
        assert!(Service::ALL[..index].iter().all(|other| other.name() != service.name() && other != service));
    }
}
