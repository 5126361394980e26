export async function readSession(): Promise<{ userId: string } | null> {
  return null
}
