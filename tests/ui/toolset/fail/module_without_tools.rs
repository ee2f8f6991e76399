use toolwright::toolset;

#[toolset]
mod bank {
    pub fn find() {}
}

fn main() {}
