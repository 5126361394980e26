export type Trail = {
  slug: string
  name: string
  text: string
  place: string
  owner: string
  isPrivate: boolean
  isFavorite: boolean
}

const oak: Trail = {
  slug: 'oak',
  name: 'Oak trail',
  text: 'Two hours, one bridge.',
  place: 'Oakford',
  owner: 'ada',
  isPrivate: false,
  isFavorite: true,
}

export async function listTrails(): Promise<Trail[]> {
  return [oak]
}

export async function findTrail(slug: string): Promise<Trail | null> {
  return slug === oak.slug ? oak : null
}

export async function readUser(): Promise<{ id: string } | null> {
  return { id: 'ada' }
}

export async function readWeather(place: string): Promise<{ text: string }> {
  return { text: `Sun over ${place}` }
}
