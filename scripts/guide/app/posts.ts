export type Post = { id: string; slug: string; title: string }

const posts: Post[] = [{ id: '42', slug: 'spring', title: 'Spring' }]

export async function listPosts(): Promise<Post[]> {
  return posts
}

export async function findPost(slug: string): Promise<Post | undefined> {
  return posts.find((post) => post.slug === slug)
}
