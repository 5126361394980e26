'use server'

export async function addItem(fields: FormData): Promise<void> {
  console.log(fields.get('text'))
}
