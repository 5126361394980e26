'use server'

export async function repeatWord(_before: string, fields: FormData): Promise<string> {
  return String(fields.get('word')).slice(0, 40)
}

export async function tellTime(): Promise<string> {
  return new Date().toISOString().slice(11, 19)
}
