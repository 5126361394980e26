// The root's configuration leaves this folder out.
export default { test: { include: ['bench/*.test.ts', 'bench/{lib,peers}/*.test.ts'] } }
