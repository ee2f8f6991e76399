use toolwright::Agent;

fn main() {
    let _ = Agent::<()>::builder("openai:gpt-5.2");
}
