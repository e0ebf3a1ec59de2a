/** Names and texts, like `process.env`. */
export type Environment = Readonly<Record<string, string | undefined>>;
