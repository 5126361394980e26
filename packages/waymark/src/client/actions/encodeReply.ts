/** Encodes the arguments of server actions; a build takes it from a file of its own. */
export { encodeReply } from '@vitejs/plugin-rsc/react/browser'
