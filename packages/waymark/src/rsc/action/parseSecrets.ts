/**
 * Reads an app's secrets from its environment: `WAYMARK_SECRET`, then the comma-separated list in
 * `WAYMARK_SECRET_PREVIOUS`.
 * @returns the current secret first; empty if neither variable is set
 */
export function parseSecrets(env: Readonly<Record<string, string | undefined>>): string[] {
  const all = [env.WAYMARK_SECRET ?? '', ...(env.WAYMARK_SECRET_PREVIOUS ?? '').split(',')]
  return all.map((secret) => secret.trim()).filter((secret) => secret !== '')
}
