/* Colours of the drawing. page.css has the same for what is not drawn. Kinds of node and group differ
 * by line and by word too, never by colour alone. */

const LIGHT = {
  back: "#f6f7f9", group: ["#ffffff", "#f4f6f9"], groupLine: "#c9d1dc", card: "#ffffff", cardLine: "#aeb8c5",
  text: "#1b1f24", soft: "#57606a", wire: "#8e9aab", control: "#a8b1bd", label: "#3f4a57", labelBack: "rgba(252,253,254,.94)",
  error: "#b3261e", errorFill: "#fdeceb", warning: "#8a5a00", warningFill: "#fdf4e1", changed: "#0a5ca8", changedFill: "#e6f1fb",
  select: "#1d5fd1", onStrong: "#ffffff", add: "#1a7f37",
  kinds: { while: ["#f0f8f1", "#4f9156"], cond: ["#fdf8ec", "#b08020"], function: ["#f1f3fd", "#6a7fd0"], part: ["#f8f8fb", "#8a93a3"] },
  ops: { input: "#e7f4ec", constant: "#eef0f3", variable: "#fbf3da" },
  chains: ["#b45309", "#6d28d9", "#0f766e", "#be185d", "#1d4ed8", "#4d6b12"],
  devices: ["#3b76c4", "#c2682f", "#3f8f5b", "#9054b8", "#b8486a", "#6c7a1f", "#2f8a94", "#7a6152"],
};

const DARK = {
  back: "#0f1419", group: ["#151b22", "#1a212a"], groupLine: "#364150", card: "#212a34", cardLine: "#4a5869",
  text: "#e3e9f0", soft: "#a3afbc", wire: "#66758a", control: "#566273", label: "#c3cdd8", labelBack: "rgba(20,26,33,.94)",
  error: "#ff8a80", errorFill: "#3b1d1c", warning: "#ffc46b", warningFill: "#352a14", changed: "#7cc0ff", changedFill: "#152c42",
  select: "#6ea8ff", onStrong: "#0f1419", add: "#7ee2a0",
  kinds: { while: ["#16241b", "#5fa567"], cond: ["#272113", "#c39a45"], function: ["#1a1f33", "#8496e0"], part: ["#191e26", "#6d7889"] },
  ops: { input: "#1c2f26", constant: "#272d36", variable: "#322c1b" },
  chains: ["#f0a04b", "#b79af2", "#4fc3b5", "#f284b0", "#8ab4f8", "#b5cc6a"],
  devices: ["#6ea3e6", "#e39a66", "#6dbd89", "#bd8be0", "#e382a0", "#a9b755", "#62bac4", "#b3998a"],
};

const VARIABLES = new Set(["Variable", "VariableV2", "VarHandleOp", "ReadVariableOp", "TemporaryVariable"]);
const INPUTS = new Set(["Placeholder", "PlaceholderV2", "PlaceholderWithDefault", "IteratorGetNext", "_Arg"]);

function sortOfOp(node) {
  if (VARIABLES.has(node.op) || typeof node.parameters === "number") return "variable";
  if (INPUTS.has(node.op)) return "input";
  return node.op === "Const" ? "constant" : "";
}

/** Devices in the order of first use; null where the program names none. */
function devicesOf(doc) {
  const seen = new Map();
  for (const node of doc.nodes) if (node.device && !seen.has(node.device)) seen.set(node.device, seen.size);
  return seen;
}
