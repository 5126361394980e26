export async function signIn(fields: FormData): Promise<{ id: string }> {
  return { id: String(fields.get('name')) }
}
