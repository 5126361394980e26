export type User = { id: string; name: string; picture: string; token: string }

export const db = {
  posts: { find: async (id: string) => ({ id, title: 'Spring' }) },
  users: {
    find: async (id: string): Promise<User> => ({ id, name: 'Ada', picture: '/a.png', token: 'x' }),
  },
}

export function connect(url: string | undefined): { url: string } {
  return { url: url ?? '' }
}

export async function addNote(text: string): Promise<void> {
  console.log(text)
}
