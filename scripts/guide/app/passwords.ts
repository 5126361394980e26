export async function isPassword(name: string, password: string): Promise<boolean> {
  return name !== '' && password === 'a long one'
}
