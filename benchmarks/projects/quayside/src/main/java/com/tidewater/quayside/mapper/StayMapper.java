package com.tidewater.quayside.mapper;

import com.tidewater.quayside.domain.Stay;
import java.time.LocalDateTime;
import java.util.List;
import java.util.Map;
import org.apache.ibatis.annotations.Param;

public interface StayMapper {
    List<Stay> find(Map<String, Object> criteria);
    List<Map<String, Object>> durations();
    List<Map<String, Object>> staysPerYear();
    Integer averageHours();
    void insert(Map<String, Object> stay);
    int close(@Param("id") long id, @Param("at") LocalDateTime at);
}
