/** An error without a request id: the request was not read yet or is invalid. */
export function httpRefusal(status: number, message: string, code = -32000): Response {
  return Response.json({ jsonrpc: '2.0', error: { code, message }, id: null }, { status });
}
