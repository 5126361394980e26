'use server'

export async function echo(...values: unknown[]) {
  return { values, count: values.length }
}
