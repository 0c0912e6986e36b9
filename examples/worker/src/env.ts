// What the platform gives the Worker: see wrangler.jsonc.
import type { Claim } from './claim.js';

export interface Env {
  /** Suspended children and transcripts. */
  CHILDREN: KVNamespace;
  /** Who resumes a child. */
  CLAIMS: DurableObjectNamespace<Claim>;
  /** At least 32 random bytes as base64, a secret: suspended children are sealed with it. */
  SEAL_SECRET: string;
  OPENAI_API_KEY: string;
  /** An endpoint that speaks as OpenAI's does. Default: OpenAI's own. */
  OPENAI_BASE_URL?: string;
  PARENT_MODEL: string;
  CHILD_MODEL: string;
}
