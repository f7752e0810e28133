/** An answer without a request's id: the request was not read so far, or cannot be. */
export function httpRefusal(status: number, message: string, code = -32000): Response {
  return Response.json({ jsonrpc: '2.0', error: { code, message }, id: null }, { status });
}
