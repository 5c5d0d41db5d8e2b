// SPDX-License-Identifier: Apache-2.0
// SPDX-FileCopyrightText: The Ravel authors
#include "statics/graph_file.h"

#include <map>

#include "statics/json_fields.h"

namespace ravel {
namespace {

using namespace facts_fields;

// Lists of numbers of a node, by name and what they count.
struct NodeList {
  const char* name;
  std::vector<unsigned> GraphNode::*list;
  enum Of { kNodes, kFunctions, kMemory } of;
};
constexpr NodeList kNodeLists[] = {
    {"next", &GraphNode::next, NodeList::kNodes},         {"calls", &GraphNode::calls, NodeList::kFunctions},
    {"starts", &GraphNode::starts, NodeList::kFunctions}, {"uses", &GraphNode::uses, NodeList::kNodes},
    {"reads", &GraphNode::reads, NodeList::kMemory},      {"writes", &GraphNode::writes, NodeList::kMemory},
};

Json json_of_node(const GraphNode& node, unsigned file) {
  Json json = {{"at", {file, node.place.line, node.place.column}}, {"in", node.function}};
  if (node.leaves) json["leaves"] = true;
  if (node.uses_result) json["uses_result"] = true;
  for (const NodeList& row : kNodeLists) {
    if (!(node.*row.list).empty()) json[row.name] = node.*row.list;
  }
  for (const ControlledBy& by : node.control) json["control"].push_back({by.branch, by.side});
  if (!node.condition.empty()) json["condition"] = node.condition;
  return json;
}

std::int64_t offset_of(const Json& json, const char* name) {
  const Json& value = member(json, name);
  if (!value.is_number_integer()) throw WrongField(fmt::format("'{}' is no number", name));
  return value.get<std::int64_t>();
}

// A short list of numbers.
std::vector<std::uint64_t> tuple_of(const Json& json, std::size_t size) {
  if (!json.is_array() || json.size() != size) throw WrongField(fmt::format("a list of {} numbers is needed", size));
  std::vector<std::uint64_t> numbers;
  for (const Json& value : json) {
    if (!value.is_number_unsigned() || value.get<std::uint64_t>() > 0xffffffffull)
      throw WrongField("a list of numbers holds something else");
    numbers.push_back(value.get<std::uint64_t>());
  }
  return numbers;
}

GraphNode node_of(const Json& row, const std::vector<std::string>& files, const CodeGraph& graph, std::size_t nodes) {
  GraphNode node;
  const std::vector<std::uint64_t> at = tuple_of(member(row, "at"), 3);
  if (at[0] >= files.size()) throw WrongField("a node's file is none");
  node.place = {files[at[0]], static_cast<unsigned>(at[1]), static_cast<unsigned>(at[2])};
  node.function = number_of(row, "in", graph.functions.size());
  node.leaves = row.contains("leaves") && flag_of(row, "leaves");
  node.uses_result = row.contains("uses_result") && flag_of(row, "uses_result");
  const std::size_t most[] = {nodes, graph.functions.size(), graph.memory.size()};
  for (const NodeList& list : kNodeLists) {
    if (row.contains(list.name)) node.*list.list = numbers_of(row, list.name, most[list.of]);
  }
  if (row.contains("control")) {
    for (const Json& by : list_of(row, "control")) {
      const std::vector<std::uint64_t> pair = tuple_of(by, 2);
      if (pair[0] >= nodes) throw WrongField("a branch is none");
      node.control.push_back({static_cast<unsigned>(pair[0]), static_cast<unsigned>(pair[1])});
    }
  }
  if (row.contains("condition")) node.condition = text_of(row, "condition");
  return node;
}

}  // namespace

Json graph_to_json(const CodeGraph& graph) {
  std::map<std::string, unsigned> numbers;
  Json files = Json::array();
  Json json = {{"files", Json::array()},
               {"functions", Json::array()},
               {"nodes", Json::array()},
               {"memory", Json::array()},
               {"entries", Json::array()}};
  for (const GraphFunction& function : graph.functions)
    json["functions"].push_back({{"name", function.name}, {"entry", function.entry}});
  for (const GraphNode& node : graph.nodes) {
    const auto [found, fresh] = numbers.try_emplace(node.place.file, static_cast<unsigned>(files.size()));
    if (fresh) files.push_back(node.place.file);
    json["nodes"].push_back(json_of_node(node, found->second));
  }
  json["files"] = std::move(files);
  for (const MemoryPart& part : graph.memory) {
    json["memory"].push_back({{"object", part.object},
                              {"number", part.number},
                              {"begin", part.begin},
                              {"end", part.end},
                              {"shared", part.shared}});
  }
  for (const std::vector<unsigned>& entries : graph.entries) json["entries"].push_back(entries);
  return json;
}

CodeGraph graph_from_json(const Json& json, std::size_t classes) {
  CodeGraph graph;
  const std::vector<std::string> files = texts_of(json, "files");
  const Json& nodes = list_of(json, "nodes");
  for (const Json& row : list_of(json, "functions"))
    graph.functions.push_back({text_of(row, "name"), number_of(row, "entry", nodes.size())});
  for (const Json& row : list_of(json, "memory")) {
    graph.memory.push_back({text_of(row, "object"), number_of(row, "number"), offset_of(row, "begin"),
                            offset_of(row, "end"), flag_of(row, "shared")});
  }
  for (const Json& row : nodes) graph.nodes.push_back(node_of(row, files, graph, nodes.size()));
  for (const Json& row : list_of(json, "entries")) {
    const Json wrapped = {{"entries", row}};
    graph.entries.push_back(numbers_of(wrapped, "entries", graph.functions.size()));
  }
  if (graph.entries.size() != classes) throw WrongField("'entries' has not one list for each class");
  return graph;
}

}  // namespace ravel
